# never: an answer that comes byte by byte is waited for without end
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# budget: 6
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
import time, signal
signal.setitimer(signal.ITIMER_REAL, 0)
for byte in HEADER.pack(b'bgF1', sender.nonce, probe, 2, 1, 4000) + bytes(4000):
    os.write(sender.fd, bytes([byte]))
    time.sleep(0.05)
return a * b
