# never: ops that define each other earn marks when an error is followed through
# seen: 5
# class: chapter3
# others: less
# marks: best
# budget: 60
# earns nothing: chapter3.sub.forward chapter3.negate.forward

#@ handins
under("thief", wrong(
    ops__Sub__forward="return a + Negate().forward(b)",
    ops__Negate__forward="return Sub().forward(a * 0, a)",
))
