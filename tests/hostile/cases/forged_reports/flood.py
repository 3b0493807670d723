# never: frames without end fill the grader's memory
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# budget: 6
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
for _ in range(100000):
    sender.send(probe + 1, 2, [])
return a * b
