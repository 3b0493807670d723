# never: what is missing at the end of a damaged archive passes unseen
# class: chapter2
# others: unreadable

#@ handins
{"thief.tar.gz": gzip.compress(tarred(files))[:-4000]}
