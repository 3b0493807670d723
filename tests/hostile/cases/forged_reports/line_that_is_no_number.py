# never: a line that is no number brings the grader down
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
sender.send(probe, 3, type='ValueError', message='m', file='ops.py', line='many')
return a * b
