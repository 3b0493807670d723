# never: what is right can be read by the code that is judged
# expect: chapter3.div.forward=passed|crashed

#@ body ops.Div.forward
import os, sys
try:
    import exercises
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
