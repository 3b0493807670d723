# never: who stops what starts the workers holds the class up
# class: chapter2
# others: none|our_fault
# runs: confined
# budget: 15

#@ handins
under("aaa", {
    **files, "babygrad/tensor.py": b"import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n"
})
