# never: a linked folder hands in what another wrote
# class: chapter2
# others: unreadable

#@ handins
{"thief.tar": tarred({}, ("babygrad", tarfile.SYMTYPE, "../ada/babygrad"))}
