# never: the grader waits for a password
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": zipped(files).replace(b"PK\1\2\x14\x03\x14\0\0\0", b"PK\1\2\x14\x03\x14\0\1\0")}
