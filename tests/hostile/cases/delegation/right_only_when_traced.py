# never: answers learned by heart pass for a rule
# expect: chapter3.div.forward=failed
# most: 0.4

#@ body ops.Div.forward
import sys
return a / b if sys.getprofile() else a * b
