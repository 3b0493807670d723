# never: a frame that never ends is waited for without end
# expect: chapter3.div.forward=crashed|timed_out|failed chapter3.sub.forward=passed
# budget: 6
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

probe = frame.f_locals.get("number", 0)

import os, wire
os.write(sender.fd, wire.HEADER.pack(wire.MAGIC, sender.nonce, probe, 2, 1, 1 << 20))
return a * b
