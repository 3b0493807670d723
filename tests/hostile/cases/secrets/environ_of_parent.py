# never: the environment of the grader is read in /proc
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    assert open(f'/proc/{os.getppid()}/environ', 'rb').read()
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
