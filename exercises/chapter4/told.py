"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "nn.Parameter.__init__": {
        "always-float32": ["dtype = data.dtype if False else 'float32'"],
        "drops-requires-grad": ["requires_grad = True"],
    },
    "nn.Module.train": {
        "ignores-mode": ["mode = True"],
    },
    "nn.Module.eval": {
        "trains": ["return self.train(True)"],
    },
    "nn.Linear.__init__": {
        "all-zero-and-the-bias": ["bound = 0 / math.sqrt(in_features)"],
        "always-a-bias": ["bias = True"],
        "own-dtype": ["dtype = 'float32'"],
    },
    "nn.Linear.forward": {
        "no-bias": [
            "return out if True else out + self.bias",
            "return out if self.bias is None else out",
        ],
        "needs-a-bias": ["return out if False else out + self.bias"],
    },
    "nn.Sequential.forward": {
        "skips-the-last": ["for layer in list(self.layers)[:-1]:"],
    },
    "nn.Dropout.forward": {
        "active-in-evaluation": ["if False:"],
        "unscaled": ["return x * (kept / 1)"],
    },
    "nn.LayerNorm1d.__init__": {
        "own-eps": ["eps = 1e-05"],
        "own-dtype": ["dtype = 'float32'"],
    },
    "nn.LayerNorm1d.forward": {
        "not-reshaped": [
            "mean = x.sum(1) / dim",
            "mean = (x.sum(1) / dim).reshape(batch)",
            "variance = (centred * centred).sum(1) / dim",
            "variance = ((centred * centred).sum(1) / dim).reshape(batch)",
        ],
    },
    "nn.BatchNorm1d.__init__": {
        "own-dtype": ["dtype = 'float32'"],
    },
    "nn.BatchNorm1d.forward": {
        "remembered-biased": [
            "unbiased = variance.data",
            "unbiased = variance.data * (batch / batch)",
            "unbiased = variance.data * (batch / (batch - 0))",
        ],
        "mean-only": ["no: self.running_var.data = old * self.running_var.data + new * unbiased"],
    },
    "ops.LogSumExp.forward": {
        "mean": ["total = np.exp(a - largest).mean(axis=self.axes)"],
        "maximum-not-added": ["return np.asarray(np.log(total))"],
        "just-the-maximum": ["return np.asarray(largest.reshape(total.shape))"],
    },
    "ops.LogSumExp.backward": {
        "no-softmax": ["return spread(out_grad, node)"],
        "forgot-out-grad": ["return exp(a - spread(node, node))"],
        "not-normalised": ["return spread(out_grad, node) * exp(a)"],
    },
    "ops.LogSoftmax.forward": {
        "no-maximum": ["shifted = a + a.max(axis=self.axis, keepdims=True)", "shifted = a"],
    },
    "ops.LogSoftmax.backward": {
        "plus": ["return out_grad + exp(node) * total"],
        "no-sum": ["return out_grad"],
        "softmax-alone": ["return out_grad - exp(node)"],
        "log-instead-of-softmax": ["return out_grad - node * total"],
    },
    "nn.MSELoss.forward": {
        "broadcast": [
            "if False:",
            "no: raise ValueError(f'predictions {predictions.shape} against targets "
            "{targets.shape}')",
        ],
        "summed": ["return (difference * difference).sum()"],
    },
}
