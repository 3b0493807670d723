# never: a tar made inside of the package is refused
# class: chapter2

#@ handins
{"bo.tar.gz": gzip.compress(
    tarred({"./" + name.removeprefix("babygrad/"): data for name, data in files.items()})
)}
