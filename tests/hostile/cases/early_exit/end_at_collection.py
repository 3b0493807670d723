# never: an object that ends Python when it is collected counts as a good end
# expect: chapter3.div.forward=crashed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import os
class Last:
    def __del__(self):
        os._exit(0)
last = Last()
return a / b
