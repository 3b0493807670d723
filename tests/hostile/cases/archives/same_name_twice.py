# never: of two files of one name, the grader takes another than the reader saw
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": zipped([*stubs.items(), *files.items()])}
