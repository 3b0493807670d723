# never: 48 KB of formatted strings inside each other hold up the class
# class: chapter2
# others: full|unreadable
# seen: 11

#@ handins
under("thief", files | {"babygrad/more.py": b"x = 1\ny = f\'\'\'" + b"{f\"{f'{x}'}\"}\n" * 3000 + b"\'\'\'"})
