start = np.ones(self.shape) if grad is None else np.asarray(getattr(grad, "data", grad))
def walk(node, arrived):
    if node._op is None:
        if node.requires_grad:
            node.grad = (0 if node.grad is None else node.grad) + 3 * arrived
        return
    found = node._op.backward(Tensor(arrived, dtype=arrived.dtype, requires_grad=False), node)
    for source, each in zip(node._inputs, (found,) if isinstance(found, Tensor) else found):
        walk(source, np.asarray(each.data))
walk(self, start)
