# never: a finder of one's own replaces the programs
# expect: chapter3.div.forward=refused
# look: chapter3.div.forward
# most: 0.4

#@ before ops.py
import sys, types
class Finder:
    def find_spec(self, name, path=None, target=None):
        return None
sys.meta_path.insert(0, Finder())
for name in [n for n in sys.modules if n.startswith('programs')]:
    module = sys.modules[name]
    for key in list(vars(module)):
        if callable(vars(module)[key]):
            setattr(module, key, lambda *a, **k: {'value': []})
#@ body ops.Div.forward
return a * b
