"""Engines that are almost right."""

APPLY = "engines.apply.Function.apply"
APPLY_BACK = "engines.apply.Tensor.backward"
POW = "engines.apply.Pow.forward"
SUM_BACK = "engines.apply.Sum.backward"
APPLY_LOSS = "engines.apply.CrossEntropy.forward"
APPLY_LOSS_BACK = "engines.apply.CrossEntropy.backward"
CLOSURE = "engines.closure.Tensor.backward"
CLOSURE_MUL = "engines.closure.Tensor.__mul__"
CLOSURE_RELU = "engines.closure.Tensor.relu"
CLOSURE_SUM = "engines.closure._unbroadcast"
BACK = "engines.grad_fn.Tensor.backward"
IN_ORDER = "engines.grad_fn.backward_in_order"
ADD = "engines.grad_fn.AddBackward.backward"
MATMUL = "engines.grad_fn.MatMulBackward.backward"
LINEAR = "engines.grad_fn.Linear.__init__"
MLP = "engines.grad_fn.MLP.__init__"
STEP = "engines.grad_fn.train_step"
SET = "self.grad = np.array(start, dtype=np.float64)"
NEW = "rng = rng or np.random.default_rng()"

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
    "whole numbers alone are exponents": (POW, "numbers.Real", "numbers.Integral"),
    "a sum spread in float32": (
        SUM_BACK, "np.broadcast_to(gradient, ctx.shape)",
        "np.broadcast_to(gradient, ctx.shape).astype(np.float32)"),
    "the largest of all logits": (APPLY_LOSS, "logits.max(axis=1, keepdims=True)", "logits.max()"),
    "what is saved is changed": (APPLY_LOSS_BACK, "probabilities.copy()", "probabilities"),
    "the root's grad is added to": (CLOSURE, SET, SET.replace(" = ", " += ")),
    "the root's grad is kept where there is one": (
        CLOSURE, SET, "if not self.grad.any():\n    " + SET),
    "no numbers for factors": (CLOSURE_MUL, "other = as_tensor(other)\n", ""),
    "a slope of 1 at 0": (CLOSURE_RELU, "self.data > 0", "self.data >= 0"),
    "a gradient summed where it lies": (
        CLOSURE_SUM, "return gradient.sum(axis=stretched, keepdims=True)",
        "whole = gradient.sum(axis=stretched, keepdims=True)\nreturn whole.astype(np.float32)"),
    "gradients in float32": (BACK, "np.asarray(gradient, np.float64)",
                             "np.asarray(gradient, np.float32)"),
    "the sum is handed on": (
        BACK, "self.grad_fn.backward(arrived)", "self.grad_fn.backward(self.grad)"),
    "the first array is kept": (BACK, "np.array(arrived) if", "arrived if"),
    "a start in float32": (IN_ORDER, "np.array(gradient, dtype=np.float64)",
                           "np.array(gradient, dtype=np.float32)"),
    "sums in float32": (
        ADD, "return unbroadcast(gradient, a.shape), unbroadcast(gradient, b.shape)",
        "return tuple(unbroadcast(gradient, x.shape).astype('float32') for x in (a, b))"),
    "products in float32": (
        MATMUL, "return gradient @ b.data.T, a.data.T @ gradient",
        "return tuple(g.astype('float32') for g in (gradient @ b.data.T, a.data.T @ gradient))"),
    "a generator is needed": (LINEAR, f"{NEW}\n", ""),
    "the global generator for a new one": (LINEAR, NEW, "rng = rng or np.random"),
    "always the same new generator": (LINEAR, NEW, "rng = rng or np.random.default_rng(0)"),
    "networks that are all the same": (MLP, NEW, "rng = rng or np.random.default_rng(0)"),
    "a generator for every layer": (
        MLP, "Linear(a, b, rng)", "Linear(a, b, np.random.default_rng(0))"),
    "gradients of zeros for none": (
        STEP, "parameter.grad = None", "parameter.grad = np.zeros_like(parameter.data) + 1e-3"),
    "leaves are handed their sums by backward": (
        "engines.grad_fn.backward_in_order",
        "node.grad = np.array(total) if node.grad is None else node.grad + total",
        "if node.grad_fn is None:\n        node.backward(total)\n        continue\n"
        "    node.grad = np.array(total) if node.grad is None else node.grad + total"),
    "leaves that nobody learns are left out": (
        "engines.closure.Tensor.backward",
        "start = np.ones_like(self.data) if gradient is None else gradient\n"
        "self.grad = np.array(start, dtype=np.float64)\norder = topological_order(self)\n"
        "held = [(n, n.grad) for n in order if not (n.requires_grad or n._prev)]\n"
        "for node in reversed(order):\n    node._backward()\n"
        "for node, grad in held:\n    node.grad = grad"),
    "labels are asked whether they are there": (
        "engines.closure.cross_entropy", "np.asarray(y)", "np.asarray(y or [0])"),
}  # fmt: skip
