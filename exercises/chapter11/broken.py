"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

ASKS = "for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived), strict=True)"
AGAIN = "return 1 +"
KEPT = "node.grad = np.array(total) if node.grad is None else node.grad + total"
FOUND = "found if isinstance(found, tuple) else (found,)"

BROKEN = {
    "engines.grad_fn.Tensor.__init__": {
        "numbers, lists or an ndarray.": (
            "np.array(data, dtype=np.float64)", "data.astype(np.float64)",
        ),
        "`requires_grad` and `grad_fn` are kept as they are given.": (
            "self.requires_grad = requires_grad", "self.requires_grad = grad_fn is None",
        ),
    },
    "engines.grad_fn.unbroadcast": {
        "Axes that broadcasting put in front are summed away;": (
            "gradient.sum(axis=tuple", "gradient.mean(axis=tuple",
        ),
        "axes of length 1 that it stretched are summed and kept.": (
            "gradient.sum(axis=stretched", "gradient.mean(axis=stretched",
        ),
    },
    "engines.grad_fn.Tensor.backward": {
        "without it, ones.": ("np.ones_like", "np.zeros_like"),
        "A Tensor that requires no gradient keeps `grad` None,": (
            "not self.requires_grad", "not self.requires_grad and self.grad_fn is not None",
        ),
        "and nothing is passed on to it.": (
            ("if not self.requires_grad:\n    return\n", ""),
            (
                "self.grad = np.array(arrived) if self.grad is None else self.grad + arrived",
                "if self.requires_grad:\n"
                "    self.grad = np.array(arrived) if self.grad is None else self.grad + arrived",
            ),
        ),
        "Then `grad_fn`,": (
            ASKS, "for source, handed in [(source, arrived) for source in self.grad_fn.inputs]",
        ),
        "where there is one, is asked for one gradient per input,": (
            ASKS,
            "for source, handed in zip(self.grad_fn.inputs[:1], self.grad_fn.backward(arrived))",
        ),
        "and `backward` of each input is called with its own.": (
            ASKS,
            "for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived)[::-1])",
        ),
        "Every input gets what arrived just now,": (
            ("self.grad = np", "before = self.grad\nself.grad = np"),
            (
                "self.grad_fn.backward(arrived)",
                "self.grad_fn.backward(arrived if before is None else before)",
            ),
        ),
        "not the sum of all that has arrived.": (
            "self.grad_fn.backward(arrived)", "self.grad_fn.backward(self.grad)",
        ),
    },
    "engines.grad_fn.Tensor": {
        "grad_fn: the `BackwardFunction` that made it;": {
            "engines.grad_fn.Tensor.__init__": (
                "self.grad_fn = grad_fn", "self.grad_fn = grad_fn and type(grad_fn)",
            ),
        },
    },
    "engines.grad_fn.visits": {
        "Nothing is computed,": (
            AGAIN, f"root.grad_fn.backward(np.ones_like(root.data))\n{AGAIN}",
        ),
        "and no `grad` changes.": (AGAIN, f"root.grad = np.zeros_like(root.data)\n{AGAIN}"),
    },
    "engines.grad_fn.backward_in_order": {
        "A rule is asked after everything that was made from its Tensor has passed on…": """
            start = np.ones_like(root.data) if gradient is None else np.array(gradient)
            arrived, queue = {id(root): start}, [root]
            for node in queue:
                total = arrived[id(node)]
                node.grad = np.array(total) if node.grad is None else node.grad + total
                if node.grad_fn is None:
                    continue
                for source, handed in zip(node.grad_fn.inputs, node.grad_fn.backward(total)):
                    if source.requires_grad and id(source) not in arrived:
                        queue.append(source)
                    if source.requires_grad:
                        arrived[id(source)] = arrived.get(id(source), 0.0) + handed
        """,
        "and gets the sum.": ("handed if earlier is None else earlier + handed", "handed"),
    },
    "engines.apply.Function.apply": {
        "Call `forward`,": (
            "data = cls.forward(", "data = tensors[0].data + 0.0\ncls.forward(",
        ),
        "and wrap what it returns.": ("np.asarray(data)", "np.zeros_like(data)"),
        "`forward` gets the Context, the `data` of every input,": (
            "tensor.data for tensor", "tensors[0].data for _",
        ),
        "and `options` as keyword arguments.": (", **options", ""),
        "The result requires a gradient where any input does,": (
            "any(tensor.requires_grad for tensor in tensors)", "tensors[0].requires_grad",
        ),
        "else its `_creator` is None.": ("context if needed else None", "context"),
    },
    "engines.apply.Mul.forward": {
        "The product; it saves both inputs.": ("return a * b", "return a + b"),
    },
    "engines.apply.Tanh.forward": {
        "The value; it saves what it made.": ("return out", "return a"),
    },
    "engines.apply.Tanh.backward": {
        "d(tanh a)/da = 1 - t²,": ("1 - out", "1 + out"),
        "where t is the result.": ("(out,) = ctx.saved", "out = ctx.inputs[0].data"),
    },
    "engines.apply.Sum.forward": {
        "`a.sum(axis, keepdims=keepdims)`; no values of `a`…": ("a.sum(", "a.mean("),
    },
    "engines.apply.Tensor.backward": {
        "what is no tuple stands for a tuple of one: an array,": (
            FOUND, "found if isinstance(found, (tuple, np.ndarray)) else (found,)",
        ),
        "or the NumPy number that an array without axes turns into.": (
            FOUND, "(found,) if isinstance(found, np.ndarray) else found",
        ),
        "the first gradient to arrive is copied, a later one is added to a copy,": (
            KEPT,
            "if node.grad is None:\n"
            "            node.grad = np.array(total)\n"
            "        else:\n"
            "            node.grad += total",
        ),
    },
    "engines.closure.stack": {
        "Tensors of one shape as the rows of a new one, along a new first axis.": (
            "for each in tensors])", "for each in tensors], axis=-1)",
        ),
    },
    "engines.closure.Tensor.backward": {
        "or to ones without it.": ("np.ones_like", "np.zeros_like"),
    },
    "engines.closure.Tensor": {
        "The walk does not look at it": {
            "engines.closure.Tensor.backward": (
                "node._backward()",
                "node._backward()\n"
                "    if not node.requires_grad:\n"
                "        node.grad = np.zeros_like(node.data)",
            ),
        },
        "and fills every `grad`.": {
            "engines.closure.Tensor.backward": (
                "node._backward()",
                "node._backward()\n"
                "    if node._prev and node is not self:\n"
                "        node.grad = np.zeros_like(node.data)",
            ),
        },
    },
}  # fmt: skip
