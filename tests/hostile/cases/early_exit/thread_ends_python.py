# never: a thread that ends Python counts as a good end
# expect: chapter3.div.forward=crashed|failed chapter3.sub.forward=passed|crashed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import os, threading
threading.Timer(0.01, os._exit, (0,)).start()
return a * b
