# never: what is done when the last answer has gone, or an object is given up, earns anything
# expect: chapter3.div.forward=failed|crashed chapter3.sub.forward=passed|crashed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import atexit, os, sys, threading, weakref
class Last:
    def __del__(self):
        for fd in range(3, 64):
            try:
                os.write(fd, b"\0" * 64)
            except OSError:
                pass
wrong = a * b
keep = Last()
weakref.finalize(keep, Last)
atexit.register(Last)
threading.Timer(0.05, Last).start()
del keep
return wrong
