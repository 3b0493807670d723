# never: a source that takes the parser long holds up the class, or fills the grader's memory
# class: chapter2
# others: unreadable
# budget: 20
# seen: 11

#@ handins
under("thief", files | {f"babygrad/more{n}.py": b"x = [" + b"1," * (MB - 9) + b"]" for n in range(7)})
