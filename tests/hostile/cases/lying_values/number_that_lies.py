# never: a number of a class of its own is something else when it is compared
# expect: chapter1.value.exp=failed|crashed chapter1.value.log=passed
# look: chapter1.value.exp chapter1.value.log

#@ before scalar.py
class Number(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __sub__(self, other): return Number(0.0)
    def __rsub__(self, other): return Number(0.0)
    def __abs__(self): return Number(0.0)
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __array__(self, dtype=None, copy=None):
        import numpy
        return numpy.zeros(())
    def __repr__(self): return "right"
#@ body scalar.Value.exp
out = Value(Number(3.0), (self,))
def push():
    self.grad = Number(7.0)
out._backward = push
return out
