# never: a loop is waited for without end
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# budget: 6
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
while True:
    pass
