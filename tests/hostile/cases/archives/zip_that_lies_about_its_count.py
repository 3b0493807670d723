# never: a zip that says it has few files, and lists them without end, holds up the class
# class: chapter2
# others: unreadable
# budget: 20
# seen: 11

#@ handins
{"thief.zip": listed(zipped(files), 400000, 5)}
