"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

A_NUMBER = "a number of NumPy's is a plain number, too"
LINE = "what the line says is left open"

EQUIVALENT = {
    "trainer.correct": {
        "an ndarray's own `data` holds the same numbers": (
            "labels = y.data if True else y", "labels = y.data if Tensor else y",
        ),
        A_NUMBER: ("return np.sum(out.data.argmax(axis=1) == labels)",),
    },
    "trainer.Trainer.train_step": {
        A_NUMBER: ("return loss.data.item()", "return float(loss.data)"),
    },
    "trainer.Trainer.evaluate": {
        "what the message says is left open": ("raise ValueError()",),
        A_NUMBER: ("loss += self.loss_fn(out, y).data * size",),
    },
    "trainer.Trainer.fit": {
        LINE: (
            "told = (f'{name} {value:.4f}' for name, value in entry.items())",
            "told = '   '",
            "told = '   '.join((f'{name} {value:.4f}' for name, value in "
            "list(entry.items())[:-1]))",
        ),
    },
}  # fmt: skip
