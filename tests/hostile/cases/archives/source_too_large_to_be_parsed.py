# never: the tree of one source fills the grader's memory
# class: chapter2
# others: full|unreadable

#@ handins
under("thief", files | {"babygrad/more.py": b"x = [" + b"1," * (MB - 9) + b"]"})
