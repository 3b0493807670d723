# never: a device or a pipe is read
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.tar": tarred(
    stubs, ("babygrad/nn.py", tarfile.CHRTYPE, ""), ("babygrad/init.py", tarfile.FIFOTYPE, ""),
)}
