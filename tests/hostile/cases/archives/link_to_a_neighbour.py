# never: a link in a tar hands in what another wrote
# seen: 6
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.tar": tarred(
    {k: v for k, v in stubs.items() if k != "babygrad/tensor.py"},
    ("babygrad/tensor.py", tarfile.SYMTYPE, "../../ada/babygrad/tensor.py"),
)}
