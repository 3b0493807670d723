# never: a bomb takes memory or time
# class: chapter2
# others: unreadable

#@ handins
{"thief.tar.gz": gzip.compress(bytes(400 * MB), 1)}
