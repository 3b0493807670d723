"""Engines that are almost right."""

APPLY = "engines.apply.Function.apply"
APPLY_BACK = "engines.apply.Tensor.backward"
SUM_BACK = "engines.apply.Sum.backward"
CLOSURE = "engines.closure.Tensor.backward"
CLOSURE_MUL = "engines.closure.Tensor.__mul__"
BACK = "engines.grad_fn.Tensor.backward"
IN_ORDER = "engines.grad_fn.backward_in_order"
LOSS_BACK = "engines.grad_fn.CrossEntropyBackward.backward"
STEP = "engines.grad_fn.train_step"
SET = "self.grad = np.array(start, dtype=np.float64)"

SUBTLE = {
    "only the first input may ask for a gradient": (
        APPLY, "any(tensor.requires_grad for tensor in tensors)", "tensors[0].requires_grad"),
    "results in float32": (
        APPLY, "Tensor(np.asarray(data), needed", "Tensor(np.asarray(data, np.float32), needed"),
    "scalars in float32": (APPLY, "np.asarray(data)", "data if data.ndim else float(data)"),
    "parts that are added where they lie": (
        APPLY_BACK, "arrived[id(source)] = handed if earlier is None else earlier + handed",
        "if earlier is None:\n                arrived[id(source)] = handed\n"
        "            else:\n                earlier += handed"),
    "one number is no axes": (APPLY_BACK, "self.data.size != 1", "self.data.ndim != 0"),
    "a sum spread in float32": (
        SUM_BACK, "np.broadcast_to(gradient, ctx.shape)",
        "np.broadcast_to(gradient, ctx.shape).astype(np.float32)"),
    "the largest of all logits": (
        LOSS_BACK, "logits.data.max(axis=1, keepdims=True)", "logits.data.max()"),
    "a gradient summed in float32": (
        "engines.grad_fn.unbroadcast", "return gradient.sum(axis=stretched, keepdims=True)",
        "return gradient.sum(axis=stretched, keepdims=True).astype(np.float32)"),
    "the root's grad is added to": (CLOSURE, SET, SET.replace(" = ", " += ")),
    "the root's grad is kept where there is one": (
        CLOSURE, SET, "if not self.grad.any():\n    " + SET),
    "no numbers for factors": (CLOSURE_MUL, "other = as_tensor(other)\n", ""),
    "gradients in float32": (BACK, "np.asarray(gradient, np.float64)",
                             "np.asarray(gradient, np.float32)"),
    "the sum is handed on": (
        BACK, "self.grad_fn.backward(arrived)", "self.grad_fn.backward(self.grad)"),
    "the first array is kept": (BACK, "np.array(arrived) if", "arrived if"),
    "a start in float32": (IN_ORDER, "np.array(gradient, dtype=np.float64)",
                           "np.array(gradient, dtype=np.float32)"),
    "gradients of zeros for none": (
        STEP, "parameter.grad = None", "parameter.grad = np.zeros_like(parameter.data) + 1e-3"),
    "leaves are handed their sums by backward": (
        IN_ORDER,
        "node.grad = np.array(total) if node.grad is None else node.grad + total",
        "if node.grad_fn is None:\n        node.backward(total)\n        continue\n"
        "    node.grad = np.array(total) if node.grad is None else node.grad + total"),
    "leaves that nobody learns are left out": (
        CLOSURE,
        "start = np.ones_like(self.data) if gradient is None else gradient\n"
        "self.grad = np.array(start, dtype=np.float64)\norder = topological_order(self)\n"
        "held = [(n, n.grad) for n in order if not (n.requires_grad or n._prev)]\n"
        "for node in reversed(order):\n    node._backward()\n"
        "for node, grad in held:\n    node.grad = grad"),
    "visits a constant that has a rule": (
        "engines.grad_fn.visits", " or not root.requires_grad", ""),
}  # fmt: skip
