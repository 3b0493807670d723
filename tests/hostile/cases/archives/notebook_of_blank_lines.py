# never: blank lines without end in a notebook hold up the class
# class: chapter2
# others: unreadable|none
# seen: 11

#@ handins
{"one/thief.ipynb": booked("\n" * (3 * MB) + '@answer("init.zeros")\ndef (')}
