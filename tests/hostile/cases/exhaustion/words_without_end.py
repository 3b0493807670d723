# never: an exception takes its time to say what it is, call after call
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ after ops.py
class Slow(Exception):
    def __str__(self):
        while True:
            pass
#@ body ops.Div.forward
raise Slow
