# never: a patched write puts the frames out of step
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward
# budget: 6

#@ body ops.Div.forward
import os
real = os.write
os.write = lambda fd, data: (real(fd, data), real(fd, data))[0]
return a * b
