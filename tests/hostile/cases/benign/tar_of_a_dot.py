# never: a tar made by `tar cf work.tar .` is refused
# class: chapter2

#@ handins
{"bo.tar": tarred({f"./{name}": data for name, data in files.items()})}
