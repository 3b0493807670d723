# never: the list of files is read for ever
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": zipped({f"babygrad/f{n}.py": b"" for n in range(20000)})}
