# never: programs that the learner's finder or modules put in their place are believed
# seen: 7
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward
# most: 0.4

#@ body ops.Div.forward
import sys, types
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("programs"):
            raise ImportError(name)
sys.meta_path.insert(0, Finder())
for name in [n for n in sys.modules if n.startswith("programs")]:
    fake = types.ModuleType(name)
    fake.forward = lambda bg, *args: np.ones(2)
    fake.Complaint = fake.Refused = Exception
    sys.modules[name] = fake
return a * b
