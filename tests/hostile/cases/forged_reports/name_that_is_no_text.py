# never: a name of a field that cannot be decoded
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'\x02\xff\xfe\x01\x00' + bytes(8))
return a * b
