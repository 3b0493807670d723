# never: an archive writes beside itself or overwrites another's work
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.zip": zipped({**stubs, "../ada/babygrad/tensor.py": b"x", "../../escaped.py": b"x"})}
