# never: what learner code says steers the terminal, or another reader of the report
# expect: chapter3.div.forward=failed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
class Odd:
    pass
Odd.__name__ = '\x1b[32mTensor'
return Odd()
