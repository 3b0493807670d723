# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
import functools

def shouting(method):
    @functools.wraps(method)
    def call(self, *arguments):
        print(method.__name__)
        return method(self, *arguments)
    return call
#@ after ops.py
Div.forward = shouting(Div.forward)
Div.backward = shouting(Div.backward)
Sub.forward = staticmethod(lambda a, b: a - b)
