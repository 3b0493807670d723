# never: source that ends the parser of Python ends the batch
# class: chapter3
# others: none|less|our_fault
# count: 6
# budget: 60

#@ handins
{
    **under("aaa", {**files, "babygrad/ops.py": b"x = " + b"-" * 900000 + b"1"}),
    **under("bbb", {**files, "babygrad/ops.py": b"(" * 90000}),
    **under("ccc", {**files, "babygrad/ops.py": b"a" + b".b" * 400000}),
    **under("ddd", {**files, "babygrad/ops.py": b"x = " + b"1+" * 300000 + b"1"}),
    **under("eee", {**files, "babygrad/ops.py": b"if 1:\n" * 1 + b" if 1:" * 99}),
}
