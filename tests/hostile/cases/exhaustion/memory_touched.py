# never: memory of the machine is used up
# expect: chapter3.div.forward=out_of_memory|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
kept = []
while True:
    kept.append(b'x' * (1 << 28))
