# never: right code that is built on what is right in part loses the marks of a second look
# twin: 5
# class: chapter3
# others: less
# marks: best
# budget: 60
# earns nothing: chapter3.negate.forward
# earns all: chapter3.relu.forward

#@ handins
under("builder", wrong(
    ops__Negate__forward="return a",
    ops__Sub__forward="return np.float64(a + Negate().forward(b))",
    ops__ReLU__forward="return Sub().forward(a, np.minimum(a, 0))",
))
