# never: a shape whose size overflows
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'\x05value\x01\x04' + struct.pack('<4Q', *[2**63] * 4))
return a * b
