# never: a descriptor of a folder leads outside
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    fd = os.open('/', os.O_RDONLY | os.O_DIRECTORY)
    os.read(os.open('@CANARY@/secret.txt'[1:], os.O_RDONLY, dir_fd=fd), 10)
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
