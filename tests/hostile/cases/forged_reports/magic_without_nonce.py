# never: bytes that learner code writes count as an answer
# expect: chapter3.div.forward=crashed|failed

#@ body ops.Div.forward
import os, struct
frame = struct.pack('<4s16sIBBI', b'bgF1', bytes(16), 0, 2, 0, 0)
for fd in map(int, os.listdir('/proc/self/fd')):
    try:
        fd > 2 and os.write(fd, frame)
    except OSError:
        pass
return a * b
