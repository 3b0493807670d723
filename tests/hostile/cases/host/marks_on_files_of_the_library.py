# never: the flags, the generation or the hints of a file that everybody reads are changed
# seen: 21
# expect: chapter3.div.forward=passed|process:crashed
# harm: confined

#@ body ops.Div.forward
import ctypes, fcntl, os, struct, sys
SAME = (  # what it is, how it is read, how it is set: nothing changes, but it could be
    ("flags", 0x80086601, 0x40086602),
    ("generation", 0x80087601, 0x40087602),
    ("generation of ext4", 0x80086603, 0x40086604),
)
if not hasattr(sys, "_changed"):
    sys._changed = []
    with open(os.__file__, "rb") as file:
        for name, get, set in SAME:
            try:
                fcntl.ioctl(file, set, fcntl.ioctl(file, get, bytes(8)))
                sys._changed.append(name)
            except OSError:
                pass
        try:
            fcntl.fcntl(file, 1036, fcntl.fcntl(file, 1035, bytes(8)))
            sys._changed.append("hint")
        except OSError:
            pass
if sys._changed:
    raise ValueError(f"@HARM@ {sys._changed}")
return a / b
