# never: another library does the exercise
# expect: chapter3.div.forward=refused
# look: chapter3.div.forward

#@ before ops.py
import tensorflow
#@ body ops.Div.forward
return a / b
