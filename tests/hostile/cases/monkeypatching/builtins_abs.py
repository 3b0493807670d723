# never: a patched builtin turns wrong into right
# expect: chapter3.div.forward=failed|crashed|blocked
# most: 0.4
# look: chapter3.div.forward

#@ before ops.py
import builtins
builtins.abs = lambda x: 0
builtins.len = len
builtins.all = lambda x: True
builtins.any = lambda x: False
#@ body ops.Div.forward
return a * b
