# never: an import is waited for without end
# expect: chapter3.div.forward=timed_out
# look: chapter3.div
# budget: 8

#@ before ops.py
while True:
    pass
#@ body ops.Div.forward
return a * b
