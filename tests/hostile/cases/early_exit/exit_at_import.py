# never: an end at import counts as success
# expect: chapter3.div.forward=crashed
# look: chapter3.div.forward

#@ before ops.py
import os
os._exit(0)
#@ body ops.Div.forward
return a * b
