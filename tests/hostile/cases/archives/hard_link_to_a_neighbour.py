# never: a hard link in a tar hands in what another wrote
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.tar": tarred(
    {k: v for k, v in stubs.items() if k != "babygrad/tensor.py"},
    ("babygrad/tensor.py", tarfile.LNKTYPE, "../ada/babygrad/tensor.py"),
)}
