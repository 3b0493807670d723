# never: of two files of one name, the grader takes another than the reader saw
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.zip": zipped(
    [("babygrad/TENSOR.py", files["babygrad/tensor.py"]), *stubs.items()]
)}
