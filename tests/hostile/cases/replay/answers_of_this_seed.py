# never: the case beside this one fails for another reason: who has the very answers has the marks
# budget: 90
# class: chapter7

#@ handins
under("thief", replayed("chapter7", "public"))
