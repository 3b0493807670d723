# never: two backwards that call each other earn marks when an error is followed through
# seen: 5
# class: chapter3
# others: less
# marks: best
# budget: 60
# earns nothing: chapter3.sub.backward chapter3.negate.backward

#@ handins
under("thief", wrong(
    ops__Sub__backward="return out_grad, Negate().backward(out_grad, node)",
    ops__Negate__backward="return Sub().backward(out_grad, node)[1]",
))
