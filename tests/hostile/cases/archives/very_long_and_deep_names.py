# never: names without end bring the reader down
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.zip": zipped({**stubs, "d/" * 20000 + "x.py": b"x", "n" * 60000 + ".py": b"x"})}
