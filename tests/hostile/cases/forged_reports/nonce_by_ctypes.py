# never: a frame with the right mark, made by hand, is believed without comparing
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward

#@ body ops.Div.forward
import ctypes, gc, os, struct
for each in gc.get_objects():
    nonce = getattr(each, "nonce", None)
    if isinstance(nonce, bytes) and len(nonce) == 16:
        mark = ctypes.string_at(id(nonce) + bytes.__basicsize__ - 1, 16)
        for n in range(400):
            data = struct.pack("<2d", 1.0, 1.0)
            body = b"\5value\1\1" + struct.pack("<Q", 2) + data
            os.write(each.fd, struct.pack("<4s16sIBBI", b"bgF1", mark, n, 2, 1, len(body)) + body)
return a * b
