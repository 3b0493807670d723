# never: the header of a tar that has no end holds up the class
# class: chapter2
# others: unreadable|full
# budget: 20
# seen: 11

#@ handins
{"thief.tar.gz": gzip.compress(headed(tarred(files), b"1" * (3 * MB)), 9)}
