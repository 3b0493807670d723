# never: the memory of the grader is read
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    with open(f'/proc/{os.getppid()}/maps') as f:
        start = int(f.readline().split('-')[0], 16)
    with open(f'/proc/{os.getppid()}/mem', 'rb') as f:
        f.seek(start)
        assert f.read(16)
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
