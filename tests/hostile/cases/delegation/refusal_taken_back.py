# never: a refusal is taken back by who is refused
# expect: chapter3.backward=refused|crashed|failed chapter3.sub.forward=passed|refused
# look: chapter3.backward chapter3.sub.forward

#@ body tensor.Tensor.backward
import gc, sys
import babygrad as bg
bench = next(o for o in gc.get_objects() if type(o).__name__ == "ProbeRunner")
start = np.ones(self.shape) if grad is None else getattr(grad, "data", grad)
try:
    sys.modules["programs.harness"].walk(bg, [self], [start])
except BaseException:
    pass
bench.refused.clear()
bench.learner.stopped.clear()
raise ValueError("nothing")
