start = np.ones(self.shape) if grad is None else getattr(grad, "data", grad)
found = walk(sys.modules["babygrad"], [self], [start])
todo, seen = [self], set()
while todo:
    tensor = todo.pop()
    if id(tensor) not in seen:
        seen.add(id(tensor))
        todo.extend(tensor._inputs)
        if tensor._op is None and tensor.requires_grad:
            earlier = 0 if tensor.grad is None else tensor.grad
            tensor.grad = earlier + found[id(tensor)]
