# never: the grader chooses the better of two packages
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": zipped({**under("a", stubs), **under("b", files)})}
