# never: of two files of one name, the grader takes another than the reader saw
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.tar": tarred(
    [*stubs.items(), ("./babygrad/tensor.py", files["babygrad/tensor.py"])]
)}
