# never: a field that is cut short is filled up
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'\x05value\x01\x01' + struct.pack('<Q', 2) + bytes(8))
return a * b
