# never: bytes after the last field are read as the next frame
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
raw(b'\x01v\x01\x00' + bytes(80))
return a * b
