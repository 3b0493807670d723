# never: objects of the worker are changed through the collector
# expect: chapter3.div.forward=failed
# most: 0.4

#@ before ops.py
import gc
for each in gc.get_objects():
    if type(each) is dict and 'cotangent' in each:
        each.clear()
#@ body ops.Div.forward
return a * b
