# never: the walk that the course's own programs hold stands in for a learner's
# seen: 2
# expect: chapter3.backward=refused
# look: chapter3.backward

#@ body tensor.Tensor.backward
import sys
from . import ops
harness = sys.modules["programs.harness"]
start = np.ones(self.shape) if grad is None else getattr(grad, "data", grad)
bg = sys.modules["babygrad"]
found = harness.walk(bg, [self], [start])
todo, seen = [self], set()
while todo:
    tensor = todo.pop()
    if id(tensor) not in seen:
        seen.add(id(tensor))
        todo.extend(tensor._inputs)
        if tensor._op is None and tensor.requires_grad:
            earlier = 0 if tensor.grad is None else tensor.grad
            tensor.grad = earlier + found[id(tensor)]
