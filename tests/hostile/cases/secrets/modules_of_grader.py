# never: what is right can be read by the code that is judged
# expect: chapter3.div.forward=passed|crashed

#@ body ops.Div.forward
import sys
if any(name.split('.')[0] in ('grader', 'solutions', 'exercises', 'torch') for name in sys.modules):
    raise RuntimeError('@HARM@')
return a / b
