# never: a child's answer counts as the worker's
# expect: chapter3.div.forward=crashed|failed
# budget: 6

#@ body ops.Div.forward
import os
if os.fork() == 0:
    return a * b
os._exit(0)
