# never: other processes and their arguments can be seen
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    seen = []
    for pid in os.listdir('/proc'):
        if pid.isdigit() and int(pid) not in (os.getpid(), os.getppid()):
            seen.append(open(f'/proc/{pid}/cmdline').read())
    assert any(seen)
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
