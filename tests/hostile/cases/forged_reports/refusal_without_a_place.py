# never: a forged refusal brings the grader down
# expect: chapter3.div.forward=refused|crashed|failed

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
sender.send(probe, 3, type='Refused')
return a * b
