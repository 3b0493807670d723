# never: a mapping reads where `open` may not
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import mmap
    fd = os.open('@CANARY@/secret.txt', os.O_RDONLY)
    mmap.mmap(fd, 0, prot=mmap.PROT_READ)[:]
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
