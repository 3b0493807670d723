# never: a file beside the workspace is read
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    open('@CANARY@/secret.txt').read()
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
