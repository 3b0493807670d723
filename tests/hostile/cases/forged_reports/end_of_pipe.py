# never: a closed pipe counts as an empty answer
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
os.close(sender.fd)
return a * b
