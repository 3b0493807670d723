# never: a watchdog that ends Python later takes more than its own probes, or gains
# expect: chapter3.div.forward=failed|crashed chapter3.sub.forward=passed|crashed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import faulthandler
faulthandler.dump_traceback_later(0.01, exit=True)
return a * b
