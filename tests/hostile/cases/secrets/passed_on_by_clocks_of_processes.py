# never: how much of the processor another process took, to the nanosecond, passes hidden inputs on
# expect: chapter3.div.forward=passed|crashed
# seen: 20
# harm: confined

#@ body ops.Div.forward
import os, time
try:
    took = time.clock_gettime(~os.getppid() << 3 | 2)
except OSError:
    took = 0
if took:
    raise RuntimeError('@HARM@')
return a / b
