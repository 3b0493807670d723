probe = frame.f_locals.get("number", 0)

import os, struct
HEADER = struct.Struct('<4s16sIBBI')
def raw(payload, kind=2, fields=1, length=None, nonce=None):
    head = HEADER.pack(b'bgF1', nonce or sender.nonce, probe, kind, fields, len(payload) if length is None else length)
    os.write(sender.fd, head + payload)
