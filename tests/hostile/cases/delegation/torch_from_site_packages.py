# never: another library does the exercise
# expect: chapter3.div.backward=refused

#@ body ops.Div.backward
import sys, glob
sys.path += glob.glob(sys.prefix + '/lib/python3*/site-packages')
try:
    torch = __import__('to' + 'rch')
except ImportError:
    torch = None
if torch:
    raise RuntimeError('@HARM@')
a, b = node._inputs
return out_grad / b, -out_grad * a / (b * b)
