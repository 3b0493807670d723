# never: a second name of a neighbour's file earns its marks, or costs the neighbour's
# seen: 10
# class: chapter2
# others: unreadable
# first: a neighbour's file gets a second name

#@ handins
under("thief", {k: v for k, v in stubs.items() if k != "babygrad/tensor.py"})
