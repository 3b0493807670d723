# never: exercises in a circle gain marks because none of them is right in all of its checks
# seen: 5
# class: chapter3
# others: less
# marks: best
# budget: 60
# earns nothing: chapter3.sub.forward chapter3.negate.forward chapter3.abs.forward

#@ handins
under("thief", wrong(
    ops__Sub__forward="return np.float64(a + Negate().forward(b))",
    ops__Negate__forward="return np.float64(Abs().forward(a) - Abs().forward(a) - a)",
    ops__Abs__forward="return np.float64(np.sign(a) * Sub().forward(a, a * 0))",
))
