# never: a kind of frame that is not known is skipped
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'', kind=77, fields=0)
return a * b
