# never: a package deep below is taken instead of the one on top
# class: chapter2
# others: none

#@ handins
{"thief.zip": zipped({**stubs, **under("old/solution", files)})}
