# never: a pipe of one's own makes the grader wait without end
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# budget: 6
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
r, w = os.pipe()
os.dup2(w, sender.fd)
return a * b
