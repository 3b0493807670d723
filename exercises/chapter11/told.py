"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "engines.grad_fn.Tensor.__init__": {
        "always-requires": ["requires_grad=True"],
    },
    "engines.grad_fn.unbroadcast": {
        "stretched-only": [
            "front = len(shape) - gradient.ndim",
            "gradient = gradient.sum(axis=tuple())",
        ],
        "front-only": [
            "stretched = tuple()",
            "stretched = tuple((i for i, size in enumerate(shape) if size == 0))",
        ],
        "keepdims-forgotten": [
            "return gradient.sum(axis=stretched)",
            "return gradient.sum(axis=stretched, keepdims=False)",
        ],
    },
    "engines.grad_fn.Tensor.backward": {
        "stores-in-leaves-of-constants": ["if False:"],
        "not-stored": [
            "no: self.grad = np.array(arrived) if self.grad is None else self.grad + arrived"
        ],
        "overwrites": [
            "self.grad = np.array(arrived) if True else self.grad + arrived",
            "self.grad = np.array(arrived) if self.grad is None else arrived",
        ],
        "not-copied": [
            "self.grad = np.asarray(arrived) if self.grad is None else self.grad + arrived"
        ],
        "result-dropped": ["no: source.backward(handed)", "handed"],
    },
    "engines.grad_fn.CrossEntropyBackward.backward": {
        "one-hot-forgotten": ["slope[rows, self.labels] -= 0"],
    },
    "engines.grad_fn.train_step": {
        "not-forgotten": ["no: parameter.grad = None"],
        "never-moves": ["no: parameter.data -= lr * parameter.grad"],
    },
    "engines.grad_fn.visits": {
        "own-call-forgotten": [
            "return 0 + sum((visits(source) for source in root.grad_fn.inputs))"
        ],
    },
    "engines.grad_fn.backward_in_order": {
        "overwrites": [
            "node.grad = np.array(total) if True else node.grad + total",
            "node.grad = np.array(total) if node.grad is None else total",
        ],
        "not-copied": [
            "node.grad = total if node.grad is None else node.grad + total",
            "node.grad = np.asarray(total) if node.grad is None else node.grad + total",
        ],
    },
    "engines.apply.Function.apply": {
        "never-required": ["tensors = (as_tensor(value) for value in inputs)"],
        "options-dropped": ["data = cls.forward(context, *(tensor.data for tensor in tensors))"],
        "all-instead-of-any": ["needed = all((tensor.requires_grad for tensor in tensors))"],
        "creator-forgotten": [
            "return Tensor(np.asarray(data), needed)",
            "return Tensor(np.asarray(data), needed, context if False else None)",
        ],
    },
    "engines.apply.Sum.backward": {
        "axes-not-put-back": ["if False:", "gradient = gradient"],
    },
    "engines.apply.Tensor.backward": {
        "raises-for-constants": ["if False:"],
        "no-value-error": ["if False:", "no: raise ValueError(f'backward() needs a gradient…"],
        "wrong-way": ["for node in topological_order(self):"],
        "not-stored": [
            "no: node.grad = np.array(total) if node.grad is None else node.grad + total"
        ],
        "overwrites": [
            "node.grad = np.array(total) if True else node.grad + total",
            "node.grad = np.array(total) if node.grad is None else total",
        ],
        "not-copied": [
            "node.grad = total if node.grad is None else node.grad + total",
            "node.grad = np.asarray(total) if node.grad is None else node.grad + total",
        ],
        "none-not-expected": ["if True:"],
        "keeps-the-last": [
            "earlier = arrived.get(source)",
            "arrived[id(source)] = handed if True else earlier + handed",
            "arrived[id(source)] = handed if earlier is None else handed",
        ],
    },
    "engines.closure.Tensor.__mul__": {
        "unattached": ["no: out._backward = push"],
    },
    "engines.closure.Tensor.__matmul__": {
        "right-only": ["no: self.grad += out.grad @ other.data.T"],
        "unattached": ["no: out._backward = push"],
    },
    "engines.closure.Tensor.tanh": {
        "unattached": ["no: out._backward = push"],
    },
    "engines.closure.stack": {
        "overwrites": ["each.grad = row"],
        "unattached": ["no: out._backward = push"],
    },
    "engines.closure.Tensor.backward": {
        "gradient-ignored": [
            "start = np.ones_like(self.data) if True else gradient",
            "gradient = None",
        ],
        "forgot-start": ["no: self.grad = np.array(start, dtype=np.float64)"],
    },
    "zoo.gradients_of": {
        "numbers-handed-over": ["leaves = [number for number in numbers]"],
        "no-walk": ["no: expression(*leaves).backward()"],
    },
}
