# never: what learner code says steers the terminal, or another reader of the report
# expect: chapter3.div.forward=passed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ file @ESC@[32mx.py
x = 1
