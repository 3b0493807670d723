# never: a name in an archive steers the reader's terminal
# class: chapter2
# others: none|unreadable
# untold: 

#@ handins
{"thief.zip": zipped(
    {**stubs, "babygrad/\x1b[2Jevil.py": b"x", "babygrad/a\n::error::b.py": b"x"}
)}
