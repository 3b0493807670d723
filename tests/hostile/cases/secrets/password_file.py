# never: files of the system are read
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    open('/etc/passwd').read()
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
