# never: what the worker computes with decides what is right
# expect: chapter3.div.forward=failed
# most: 0.4

#@ before ops.py
import sys, types
sys.modules['numpy.testing'] = types.ModuleType('numpy.testing')
#@ body ops.Div.forward
return a * b
