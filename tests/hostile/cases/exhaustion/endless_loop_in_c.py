# never: a loop in C hears no alarm
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# budget: 6
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
sum(range(10**12))
