# never: the learner's own files are rewritten while they are judged
# expect: chapter3.div.forward=passed|crashed
# harm: process

#@ body ops.Div.forward
import os, sys
try:
    open(__file__, 'w').write('')
except Exception:
    pass
return a / b
