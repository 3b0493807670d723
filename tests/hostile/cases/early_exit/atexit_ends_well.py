# never: an exit handler turns a crash into success
# expect: chapter3.div.forward=failed

#@ before ops.py
import atexit, os
atexit.register(os._exit, 0)
#@ body ops.Div.forward
return a * b
