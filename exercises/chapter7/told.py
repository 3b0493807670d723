"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "init.gain": {
        "key-error": [
            "if False:",
            "no: raise ValueError(f\"{nonlinearity!r} is none of {', '.join(gains)}.\")",
        ],
    },
    "init.xavier_uniform": {
        "no-gain": ["gain = 1.0"],
        "ignores-shape": ["shape = None"],
        "dropped-dtype": ["dtype = 'float32'"],
        "dropped-requires-grad": ["requires_grad = True"],
    },
    "init.xavier_normal": {
        "no-gain": ["gain = 1.0"],
        "ignores-shape": ["shape = None"],
        "dropped-dtype": ["dtype = 'float32'"],
        "dropped-requires-grad": ["requires_grad = True"],
    },
    "init.kaiming_uniform": {
        "always-relu": ["nonlinearity = 'relu'"],
        "ignores-shape": ["shape = None"],
        "dropped-dtype": ["dtype = 'float32'"],
        "dropped-requires-grad": ["requires_grad = True"],
    },
    "init.kaiming_normal": {
        "always-relu": ["nonlinearity = 'relu'"],
        "ignores-shape": ["shape = None"],
        "dropped-dtype": ["dtype = 'float32'"],
        "dropped-requires-grad": ["requires_grad = True"],
    },
    "init.activation_statistics": {
        "counts-zeros": ["zeros = float(np.sum(x.data == 0))"],
        "share-of-others": ["zeros = float(np.mean(x.data != 0))"],
    },
    "init.initialize": {
        "adds": ["parameter.data += draw(fan_in, fan_out).data.astype(parameter.dtype)"],
        "loses-dtype": ["parameter.data = draw(fan_in, fan_out).data"],
    },
    "init.gradient_statistics": {
        "crash-on-none": ["if False:", "if g is not None:"],
        "left-out": ["no: found.append(None)", "None"],
        "counts-zeros": [
            "found.append(Statistics(float(g.mean()), float(g.std()), float(np.sum(g == 0))))"
        ],
    },
}
