# never: a sleep at module level is paid by every worker
# seen: 8
# class: chapter2
# others: none|less
# marks: best
# budget: 120
# full: only

#@ handins
under("thief", {
    name: data + b"\nimport time\ntime.sleep(4)\n" * (name == "babygrad/tensor.py")
    for name, data in wrong(
        tensor__Tensor__numpy="import os\nos._exit(1)", tensor__Tensor__rand="import os\nos._exit(1)",
        tensor__Tensor__detach="import os\nos._exit(1)", tensor__Tensor__ones="import os\nos._exit(1)",
    ).items()
})
