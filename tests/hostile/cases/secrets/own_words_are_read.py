# never: a learner whose code says why it fails is not told so, or loses another mark
# twin: 4
# class: chapter3
# others: less
# read: my own words, and what I was given: \[-?\d
# earns all: chapter3.exp.forward chapter3.mul.backward

#@ handins
under("bea", wrong(ops__Sub__forward="raise ValueError(f'my own words, and what I was given: {a.tolist()}')"))
