# never: answers learned by heart pass for a rule
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
import sys
name = sys._getframe(1).f_code.co_name
return a * b if name == 'forward' else a / b
