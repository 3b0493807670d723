# never: the worker's own code, which calls what it is given, leads to a helper of the course
# seen: 23
# expect: chapter15.run=refused
# look: chapter15.run

#@ body tracing.run
import sys
meter = sys.modules["meter"]
class Any:
    given, door = staticmethod(lambda v: v), None
class Own(meter.Counting):
    def __init__(self):
        self.meter, self.arrays, self.lost = Any(), Any(), None
    def replaced(self):
        return []
one = Own()
def f(): pass
helper = sys.modules["programs.compilations"].computed
one.run(helper, sys.modules["babygrad"], program, list(arrays))
if one.lost: raise one.lost
return one.parts
