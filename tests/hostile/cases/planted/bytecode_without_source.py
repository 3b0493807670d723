# never: a file that lies about runs in the grader, or in the learner's place
# expect: chapter3.div.forward=crashed
# look: chapter3.div.forward

#@ bytes evil.pyc
__import__('importlib.util').util.MAGIC_NUMBER + bytes(12) + __import__('marshal').dumps(compile('x = 1', 'evil.py', 'exec'))
#@ before ops.py
from . import evil
