# never: a message of megabytes fills the report
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
data = b'A' * (8 << 20)
raw(b'\x04type\x00\x01' + struct.pack('<Q', 1) + b'E' + b'\x07message\x00\x01' + struct.pack('<Q', len(data)) + data, kind=3, fields=2)
return a * b
