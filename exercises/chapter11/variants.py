"""Right solutions of chapter 11 that are written in other ways than the reference."""

from grader.course import right, variant

from . import other_variants

_G, _A, _C = "engines.grad_fn", "engines.apply", "engines.closure"


# Loops for what the reference does at once, lists for tuples, the walk in order everywhere.
@variant("recursion-and-loops")
class RECURSIVE:
    @right(f"{_G}.unbroadcast")
    def grad_fn_unbroadcast(gradient, shape):
        while gradient.ndim > len(shape):
            gradient = gradient.sum(axis=0)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis=axis, keepdims=True)
        return gradient

    @right(f"{_G}.CrossEntropyBackward.backward")
    def grad_fn_cross_entropy_backward_backward(self, gradient):
        x = self.inputs[0].data
        x = x - np.max(x, axis=1, keepdims=True)
        p = np.exp(x - np.log(np.sum(np.exp(x), axis=1, keepdims=True)))
        return (gradient * (p - np.eye(x.shape[1])[self.labels]) / x.shape[0],)

    grad_fn_tensor_backward = right(f"{_G}.Tensor.backward", "backward_in_order(self, gradient)")

    @right(f"{_G}.backward_in_order")
    def grad_fn_backward_in_order(root, gradient):
        order, seen = [], set()

        def visit(t):
            if id(t) in seen or not t.requires_grad:
                return
            seen.add(id(t))
            if t.grad_fn is not None:
                for source in t.grad_fn.inputs:
                    visit(source)
            order.append(t)

        visit(root)
        sums = {id(t): np.zeros_like(t.data) for t in order}
        if root.requires_grad:
            sums[id(root)] += 1.0 if gradient is None else gradient
        for t in order[::-1]:
            t.grad = sums[id(t)] + (0.0 if t.grad is None else t.grad)
            if t.grad_fn is not None:
                for source, part in zip(t.grad_fn.inputs, t.grad_fn.backward(sums[id(t)])):
                    if source.requires_grad:
                        sums[id(source)] += part

    @right(f"{_G}.visits")
    def grad_fn_visits(root):
        if not root.requires_grad:
            return 0
        count, stack = 0, [root]
        while stack:
            t = stack.pop()
            if t.grad_fn is not None and t.requires_grad:
                count += 1
                stack.extend(t.grad_fn.inputs)
        return count

    @right(f"{_A}.Function.apply")
    def apply_function_apply(cls, *inputs, **options):
        made = [x if isinstance(x, Tensor) else Tensor(x) for x in inputs]
        ctx = Context(cls, tuple(made))
        out = Tensor(np.array(cls.forward(ctx, *[t.data for t in made], **options)))
        for t in made:
            if t.requires_grad:
                out.requires_grad, out._creator = True, ctx
        return out

    @right(f"{_A}.Tensor.backward")
    def apply_tensor_backward(self, gradient):
        if not self.requires_grad:
            return
        if gradient is None and self.data.size > 1:
            raise ValueError("Which gradient shall it start from?")
        sums = {}

        def arrive(t, g):
            sums[id(t)] = np.add(sums.get(id(t), 0.0), g)

        arrive(self, np.ones(self.shape) if gradient is None else gradient)
        for t in topological_order(self)[::-1]:
            if id(t) not in sums or not t.requires_grad:
                continue
            g = sums[id(t)]
            if t._creator is None:
                t.grad = g.copy() if t.grad is None else t.grad + g
                continue
            back = t._creator.function.backward(t._creator, g)
            back = back if isinstance(back, (tuple, list)) else [back]
            for source, part in zip(t._creator.inputs, back):
                if part is not None:
                    arrive(source, part)

    @right(f"{_A}.Sum.backward")
    def apply_sum_backward(ctx, gradient):
        shape = list(ctx.shape)
        for axis in range(len(shape)) if ctx.axis is None else np.atleast_1d(ctx.axis):
            shape[axis] = 1
        return gradient.reshape(shape) * np.ones(ctx.shape)

    @right(f"{_A}.Tanh.forward")
    def apply_tanh_forward(ctx, a):
        e = np.exp(2 * a)
        t = (e - 1) / (e + 1)
        ctx.save_for_backward(t)
        return t


# New arrays instead of `+=`, rules of their own instead of compositions, and the reverse.
@variant("composed-and-rebound")
class COMPOSED:
    @right(f"{_C}.Tensor.tanh")
    def closure_tensor_tanh(self):
        value = np.tanh(self.data)
        out = Tensor(value, _prev=(self,))

        def push():
            self.grad = self.grad + out.grad * (1 - value * value)

        out._backward = push
        return out

    @right(f"{_C}.stack")
    def closure_stack(tensors):
        out = Tensor(np.array([t.data for t in tensors]), _prev=tuple(tensors))
        pushes = []
        for i, t in enumerate(tensors):

            def push(i=i, t=t):
                t.grad = t.grad + out.grad[i]

            pushes.append(push)

        def all_of_them():
            for push in pushes:
                push()

        out._backward = all_of_them
        return out

    @right(f"{_C}.Tensor.backward")
    def closure_tensor_backward(self, gradient):
        order, seen = [], set()

        def visit(t):
            if t not in seen:
                seen.add(t)
                for source in t._prev:
                    visit(source)
                order.append(t)

        visit(self)
        self.grad = np.ones(self.shape) if gradient is None else np.array(gradient)
        while order:
            order.pop()._backward()

    @right(f"{_G}.train_step")
    def grad_fn_train_step(model, x, y, lr):
        for layer in model.parameters():
            layer.grad = None
        loss = cross_entropy(model(Tensor(x)), y)
        backward_in_order(loss)
        for p in model.parameters():
            p.data = p.data - lr * p.grad
        return loss.data.item()

    @right("zoo.gradients_of")
    def gradients_of(leaf, expression, numbers):
        made = tuple(map(leaf, numbers))
        root = expression(*made)
        root.backward()
        return tuple(m.grad for m in made)


# Once more the small ones, and sums before and after a reshape.
@variant("reshaped sums, slots, early returns")
class SMALL:
    @right(f"{_G}.unbroadcast")
    def grad_fn_unbroadcast(gradient, shape):
        split = (-1, *gradient.shape[gradient.ndim - len(shape) :])
        total = np.add.reduce(np.reshape(gradient, split), axis=0)
        axes = tuple(np.flatnonzero(np.array(shape, dtype=int) == 1).tolist())
        return np.sum(total, axis=axes).reshape(shape)

    @right(f"{_G}.Tensor.__init__")
    def grad_fn_tensor_init(self, data, requires_grad, grad_fn):
        vars(self).update(
            data=np.asarray(data).astype(np.float64),
            grad=None,
            requires_grad=requires_grad,
            grad_fn=grad_fn,
        )

    @right(f"{_G}.SigmoidBackward.backward")
    def grad_fn_sigmoid_backward_backward(self, gradient):
        s = self.out
        return [gradient * s - gradient * s**2]

    @right(f"{_A}.Sum.forward")
    def apply_sum_forward(ctx, a, *, axis, keepdims):
        ctx.axis, ctx.keepdims, ctx.shape = axis, keepdims, np.shape(a)
        return np.sum(a, axis=axis, keepdims=keepdims)

    @right(f"{_A}.Tanh.backward")
    def apply_tanh_backward(ctx, gradient):
        t = ctx.saved_tensors[0]
        return (gradient * (1 + t) * (1 - t),)


VARIANTS = (RECURSIVE, COMPOSED, other_variants.COUNTED, SMALL)
