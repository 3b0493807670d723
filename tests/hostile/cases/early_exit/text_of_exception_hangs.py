# never: the text of an exception is waited for without end
# expect: chapter3.div.forward=timed_out|crashed chapter3.sub.forward=passed
# budget: 6
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
class Odd(Exception):
    def __str__(self):
        while True: pass
raise Odd
