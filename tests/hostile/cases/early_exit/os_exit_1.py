# never: an end of the process takes the exercises after it along
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
import os
os._exit(1)
