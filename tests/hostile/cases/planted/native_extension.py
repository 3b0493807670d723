# never: a file that lies about runs in the grader, or in the learner's place
# expect: chapter3.div.forward=crashed
# look: chapter3.div.forward

#@ bytes evil.so
b'\x7fELF' + bytes(200)
#@ before ops.py
from . import evil
