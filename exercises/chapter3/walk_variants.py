"""Right solutions of the second half of the chapter, written in other ways than the reference."""

from grader.course import right, variant

RECURSIVE = """
topo_order, visited = [], set()

def build_topo(node):
    if id(node) not in visited:
        visited.add(id(node))
        for parent in node._inputs:
            build_topo(parent)
        topo_order.append(node)

"""
KEEPS_INTERMEDIATES = f"""{RECURSIVE}
build_topo(self)
start = Tensor(np.ones(self.shape)) if grad is None else Tensor(grad)
gradients = {{id(self): start}}
for node in reversed(topo_order):
    if id(node) not in gradients or not node.requires_grad:
        continue
    out_grad = gradients[id(node)]
    if node.grad is None:
        node.grad = np.array(out_grad.data, copy=True)
    else:
        node.grad += out_grad.data
    if node._op is not None:
        found = node._op.backward(out_grad, node)
        found = found if isinstance(found, tuple) else (found,)
        for parent, gradient in zip(node._inputs, found):
            UNBROADCAST
            earlier = gradients.get(id(parent))
            together = gradient.data if earlier is None else earlier.data + gradient.data
            gradients[id(parent)] = Tensor(together)
"""
IN_THE_WALK = "gradient = ops.unbroadcast(gradient, parent.shape)"
TENSOR_GRADS = f"""{RECURSIVE}
if not self.requires_grad:
    raise RuntimeError("this tensor does not require a gradient")
build_topo(self)
start = Tensor(np.ones(self.shape) if grad is None else grad, dtype=self.dtype)
self.grad = start if self.grad is None else Tensor(self.grad.data + start.data)
for node in reversed(topo_order):
    if node._op is None:
        continue
    found = node._op.backward(node.grad, node)
    for parent, gradient in zip(node._inputs, (found,) if isinstance(found, Tensor) else found):
        if parent.requires_grad:
            total = ops.unbroadcast(gradient, parent.shape).data
            total = total if parent.grad is None else parent.grad.data + total
            parent.grad = Tensor(total, dtype=parent.dtype)
"""
IN_THE_OPS = """def __init_subclass__(cls) -> None:
        rule = cls.__dict__.get("backward")
        if rule is None or cls.__module__ != __name__:
            return

        def backward(self, out_grad, node):
            found = rule(self, out_grad, node)
            if isinstance(found, Tensor):
                return found
            pairs = zip(found, node._inputs)
            return tuple(unbroadcast(gradient, source.shape) for gradient, source in pairs)

        cls.backward = backward

    def __call__(self, *inputs: Tensor) -> Tensor:"""

NDARRAY = ("chapter3.backward/ndarray",)
DEEP = ("chapter3.backward/deep",)  # one call inside the other per step: a long chain is too much


# As most people write it: a nested function, `.grad` on every tensor, float32 for what is summed.
@variant("recursion-with-intermediate-grads", but=DEEP)
class KEEPS:
    @right("tensor.Tensor.backward")
    def tensor_backward(self, grad):
        topo_order, visited = [], set()

        def build_topo(node):
            if id(node) not in visited:
                visited.add(id(node))
                for parent in node._inputs:
                    build_topo(parent)
                topo_order.append(node)

        build_topo(self)
        start = Tensor(np.ones(self.shape)) if grad is None else Tensor(grad)
        gradients = {id(self): start}
        for node in reversed(topo_order):
            if id(node) not in gradients or not node.requires_grad:
                continue
            out_grad = gradients[id(node)]
            if node.grad is None:
                node.grad = np.array(out_grad.data, copy=True)
            else:
                node.grad += out_grad.data
            if node._op is not None:
                found = node._op.backward(out_grad, node)
                found = found if isinstance(found, tuple) else (found,)
                for parent, gradient in zip(node._inputs, found):
                    gradient = ops.unbroadcast(gradient, parent.shape)
                    earlier = gradients.get(id(parent))
                    together = gradient.data if earlier is None else earlier.data + gradient.data
                    gradients[id(parent)] = Tensor(together)


# Nothing but float32, whatever dtype is asked for; `.grad` is a Tensor.
@variant(
    "float32-tensor-grads",
    edits=(
        ("tensor.py", "np.array(data, dtype=dtype)", "np.array(data, dtype='float32')"),
        ("ops.py", "out = Tensor(data, dtype=data.dtype, ", "out = Tensor(data, "),
    ),
    but=(*DEEP, *NDARRAY),
)
class SINGLE:
    @right("tensor.Tensor.backward")
    def tensor_backward(self, grad):
        topo_order, visited = [], set()

        def build_topo(node):
            if id(node) not in visited:
                visited.add(id(node))
                for parent in node._inputs:
                    build_topo(parent)
                topo_order.append(node)

        if not self.requires_grad:
            raise RuntimeError("this tensor does not require a gradient")
        build_topo(self)
        start = Tensor(np.ones(self.shape) if grad is None else grad, dtype=self.dtype)
        self.grad = start if self.grad is None else Tensor(self.grad.data + start.data)
        for node in reversed(topo_order):
            if node._op is None:
                continue
            found = node._op.backward(node.grad, node)
            for parent, gradient in zip(
                node._inputs, (found,) if isinstance(found, Tensor) else found
            ):
                if parent.requires_grad:
                    total = ops.unbroadcast(gradient, parent.shape).data
                    total = total if parent.grad is None else parent.grad.data + total
                    parent.grad = Tensor(total, dtype=parent.dtype)


# Every op sums its own gradients; the walk knows nothing of broadcasting.
@variant(
    "unbroadcast-in-the-ops",
    edits=(("ops.py", "def __call__(self, *inputs: Tensor) -> Tensor:", IN_THE_OPS),),
    but=DEEP,
)
class OPS_UNBROADCAST:
    @right("tensor.Tensor.backward")
    def tensor_backward(self, grad):
        topo_order, visited = [], set()

        def build_topo(node):
            if id(node) not in visited:
                visited.add(id(node))
                for parent in node._inputs:
                    build_topo(parent)
                topo_order.append(node)

        build_topo(self)
        start = Tensor(np.ones(self.shape)) if grad is None else Tensor(grad)
        gradients = {id(self): start}
        for node in reversed(topo_order):
            if id(node) not in gradients or not node.requires_grad:
                continue
            out_grad = gradients[id(node)]
            if node.grad is None:
                node.grad = np.array(out_grad.data, copy=True)
            else:
                node.grad += out_grad.data
            if node._op is not None:
                found = node._op.backward(out_grad, node)
                found = found if isinstance(found, tuple) else (found,)
                for parent, gradient in zip(node._inputs, found):
                    pass
                    earlier = gradients.get(id(parent))
                    together = gradient.data if earlier is None else earlier.data + gradient.data
                    gradients[id(parent)] = Tensor(together)


# One axis after the other, a full sum of shape (1,), a mend that calls the engine.
@variant("axis-by-axis")
class OTHER_ALGEBRA:
    @right("ops.Summation.forward")
    def summation_forward(self, a):
        out = np.sum(a, axis=self.axes)
        return out.reshape(1) if out.ndim == 0 else out

    @right("ops.Summation.backward")
    def summation_backward(self, out_grad, node):
        shape = list(node._inputs[0].shape)
        axes = self.axes
        if axes is None:
            axes = tuple(range(len(shape)))
        elif isinstance(axes, int):
            axes = (axes,)
        for axis in axes:
            shape[axis] = 1
        return out_grad.reshape(tuple(shape)).broadcast_to(node._inputs[0].shape)

    broadcast_to_backward = right(
        "ops.BroadcastTo.backward", "return unbroadcast(out_grad, node._inputs[0].shape)"
    )

    @right("ops.Transpose.backward")
    def transpose_backward(self, out_grad, node):
        if self.axes is None:
            return out_grad.transpose()
        inverse = [0] * len(self.axes)
        for to, axis in enumerate(self.axes):
            inverse[axis] = to
        return out_grad.transpose(tuple(inverse))

    @right("ops.unbroadcast")
    def unbroadcast(grad, shape):
        while grad.ndim > len(shape):
            grad = grad.sum(0).reshape(grad.shape[1:])
        for axis, size in enumerate(shape):
            if size != grad.shape[axis]:
                kept = (*grad.shape[:axis], 1, *grad.shape[axis + 1 :])
                grad = grad.sum(axis).reshape(kept)
        return grad

    mended_backward = right("bughunt.mended_backward", "node.backward(grad)")


VARIANTS = (KEEPS, SINGLE, OPS_UNBROADCAST, OTHER_ALGEBRA)
