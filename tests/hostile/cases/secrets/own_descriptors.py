# never: a descriptor of the grader's is inherited
# expect: chapter3.div.forward=passed|crashed

#@ body ops.Div.forward
import os, stat
for fd in range(3, 64):
    try:
        mode = os.fstat(fd).st_mode
    except OSError:
        continue
    if stat.S_ISREG(mode):
        raise RuntimeError('@HARM@')
return a / b
