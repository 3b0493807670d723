# never: who ends what starts the workers takes the others with him
# class: chapter2
# others: none|our_fault
# count: 3
# harm: confined
# budget: 15

#@ handins
{
    **under("aaa", {**files, "babygrad/tensor.py": b"import os\nos.kill(os.getppid(), 9)\n"}),
    **under("bbb", {**files, "babygrad/tensor.py": b"import os\nos.killpg(os.getpgid(os.getppid()), 15)\n"}),
}
