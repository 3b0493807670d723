# never: a deep shape brings the reader down
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'\x05value\x01\xff' + struct.pack('<255Q', *[1] * 255) + bytes(8))
return a * b
