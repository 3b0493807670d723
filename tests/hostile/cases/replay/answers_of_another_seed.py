# never: answers to what another seed asks earn marks: the public ones, in a class of its own seed
# budget: 90
# class: chapter7
# seen: 1
# others: less|none
# at most: 0.1

#@ handins
under("thief", replayed("chapter7", "another"))
