# never: a dtype that is not known is guessed
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'\x05value\x63\x00' + bytes(8))
return a * b
