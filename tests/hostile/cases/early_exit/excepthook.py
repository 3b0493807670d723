# never: a hook turns a crash into success
# expect: chapter3.div.forward=crashed

#@ before ops.py
import sys
sys.excepthook = lambda *a: None
#@ body ops.Div.forward
raise ValueError
