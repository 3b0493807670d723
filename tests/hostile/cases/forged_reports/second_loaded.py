# never: a forged list of definitions turns exercises into given or pending ones
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
sender.send(0, 1, definitions='ops.Div.forward\tops.py\t1\t2\t1', absent='ops.Div.forward')
return a * b
