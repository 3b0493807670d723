"""Code that is given in each engine, because the learner has written it once already.

Version 1.0 asked for all of it; code that somebody wrote there may stay.
"""

from grader.course import Exercise

_MLP = "__init__ __call__ parameters"

# exercise → the box whose text speaks of it, a class or nothing, and what is written in it
_ROWS = {
    "grad_fn.add": ("11.1", "AddBackward", "backward"),
    "grad_fn.pow": ("11.1", "PowBackward", "backward"),
    "grad_fn.relu": ("11.1", "ReLUBackward", "backward"),
    "grad_fn.transpose": ("11.1", "TransposeBackward", "backward"),
    "grad_fn.matmul": ("11.1", "MatMulBackward", "backward"),
    "grad_fn.cross_entropy": ("11.3", "", "cross_entropy"),
    "grad_fn.linear": ("11.3", "Linear", "__init__ __call__"),
    "grad_fn.mlp": ("11.3", "MLP", _MLP),
    "apply.pow": ("11.5", "Pow", "forward backward"),
    "apply.matmul": ("11.5", "MatMul", "forward backward"),
    "apply.cross_entropy": ("11.5", "CrossEntropy", "forward backward"),
    "apply.repr": ("11.5", "Tensor", "__repr__"),
    "closure.unbroadcast": ("11.6", "", "_unbroadcast"),
    "closure.add": ("11.6", "Tensor", "__add__"),
    "closure.sum": ("11.6", "Tensor", "sum"),
    "closure.mean": ("11.6", "Tensor", "mean"),
    "closure.relu": ("11.6", "Tensor", "relu"),
    "closure.exp": ("11.6", "Tensor", "exp"),
    "closure.log": ("11.6", "Tensor", "log"),
    "closure.log_softmax": ("11.6", "Tensor", "log_softmax"),
    "closure.cross_entropy": ("11.6", "", "cross_entropy"),
    "closure.linear": ("11.6", "Linear", "__init__ __call__"),
    "closure.mlp": ("11.6", "MLP", _MLP),
}


def _given(id: str, section: str, owner: str, names: str) -> Exercise:
    place = ".".join(("engines", id.partition(".")[0], *([owner] if owner else [])))
    targets = tuple(f"{place}.{name}" for name in names.split())
    return Exercise(f"chapter11.{id}", section, targets, given=True)


GIVEN = tuple(_given(id, *row) for id, row in _ROWS.items())
