# never: a shape of no values and endless axes is written out
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
sender = bench.sender

probe = frame.f_locals.get("number", 0)

import os, struct
HEADER = struct.Struct('<4s16sIBBI')
def raw(payload, kind=2, fields=1, length=None, nonce=None):
    head = HEADER.pack(b'bgF1', nonce or sender.nonce, probe, kind, fields, len(payload) if length is None else length)
    os.write(sender.fd, head + payload)
raw(b'\x05value\x01\x02' + struct.pack('<2Q', 2**62, 0))
return a * b
