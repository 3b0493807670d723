# never: a source with a table in it is refused
# class: chapter2
# twin: 11

#@ handins
under("bea", files | {"babygrad/table.py": b"x = [" + b"1.5, " * 20000 + b"]\ny = f'{x[0]}'"})
