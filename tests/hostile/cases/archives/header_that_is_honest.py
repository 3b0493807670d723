# never: a tar that says more of its files than their names is refused
# class: chapter2
# twin: 11

#@ handins
{"bea.tar.gz": gzip.compress(headed(tarred(files), b"28 comment=written by hand\n"))}
