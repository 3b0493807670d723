# never: a child that answers in the worker's place
# expect: chapter3.div.forward=crashed|failed
# look: chapter3.div.forward

#@ before ops.py
import os
if os.fork():
    os._exit(0)
#@ body ops.Div.forward
return a * b
