# never: an archive writes where it likes
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.tar": tarred({**stubs, "@CANARY@/planted.py": b"x"})}
