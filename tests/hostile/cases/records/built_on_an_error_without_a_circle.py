# never: right code that is built on an early error loses the marks of a second look
# twin: 5
# class: chapter3
# others: less
# marks: best
# budget: 60
# earns nothing: chapter3.negate.forward
# earns all: chapter3.sub.forward

#@ handins
under("builder", wrong(
    ops__Sub__forward="return a + Negate().forward(b)",
    ops__Negate__forward="return a",
))
