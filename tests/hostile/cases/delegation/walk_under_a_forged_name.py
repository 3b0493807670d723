# never: code that calls itself a program's may call what only programs may
# seen: 2
# expect: chapter3.backward=refused|crashed|failed chapter3.sub.forward=passed|refused
# look: chapter3.backward chapter3.sub.forward

#@ body tensor.Tensor.backward
import sys
import babygrad as bg
text = """
def go(walk, bg, root, grad):
    return walk(bg, [root], [grad])
"""
space = {}
exec(compile(text, "programs/harness.py", "exec"), space)
start = np.ones(self.shape) if grad is None else getattr(grad, "data", grad)
found = space["go"](sys.modules["programs.harness"].walk, bg, self, start)
todo, seen = [self], set()
while todo:
    node = todo.pop()
    if id(node) not in seen:
        seen.add(id(node))
        todo += node._inputs
        if node.requires_grad and node._op is None and id(node) in found:
            node.grad = found[id(node)] if node.grad is None else node.grad + found[id(node)]
