# never: an audit hook of the learner's gains anything
# expect: chapter3.div.forward=crashed|failed chapter3.sub.forward=passed|crashed|failed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import sys
def hook(event, arguments):
    if event in ("os.write", "object.__setattr__", "sys.setprofile", "compile", "import"):
        raise SystemExit(0)
sys.addaudithook(hook)
return a * b
