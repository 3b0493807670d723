# never: a shape of no values and endless axes is written out
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'\x05value\x01\x02' + struct.pack('<2Q', 2**62, 0))
return a * b
