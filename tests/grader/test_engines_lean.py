"""The lean engine of chapter 11: its gradients are PyTorch's, and it stands alone."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from grader import root

FILE = Path(root.path("solutions", "babygrad", "engines", "lean.py"))
EXACT = {"rtol": 0, "atol": 1e-10}


def engine() -> ModuleType:
    """The file alone, as a learner may copy it."""
    spec = importlib.util.spec_from_file_location("lean", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


lean = engine()


def drawn(*shape: int, seed: int = 0) -> np.ndarray:
    """Values away from 0 and 1, of both signs."""
    rng = np.random.default_rng([seed, *shape])
    return rng.uniform(0.2, 0.9, shape) * rng.choice([-1, 1], shape)


# name: (the expression, its inputs). `f` holds exp, log, tanh, sigmoid and relu of either side.
EXPRESSIONS = {
    "add": (lambda f, a, b: a + b, (drawn(3, 4), drawn(3, 4, seed=1))),
    "sub, stretched": (lambda f, a, b: a - b, (drawn(3, 4), drawn(4))),
    "mul, both stretched": (lambda f, a, b: a * b, (drawn(3, 1), drawn(4))),
    "div by a number": (lambda f, a, b: a / b, (drawn(2, 3, 4), drawn())),
    "numbers on the left": (lambda f, a: 2 - 3 * a + 1 / a, (drawn(3),)),
    "pow": (lambda f, a: a**3 + (a * a) ** 0.5, (drawn(3, 2),)),
    "neg": (lambda f, a: -a, (drawn(3),)),
    "matmul": (lambda f, a, b: a @ b, (drawn(3, 4), drawn(4, 2))),
    "matmul, batch stretched": (lambda f, a, b: a @ b, (drawn(5, 3, 4), drawn(4, 2))),
    "sum over an axis": (lambda f, a: (a * a).sum(1), (drawn(3, 4, 2),)),
    "sum over two axes": (lambda f, a: (a * a).sum((0, -1)), (drawn(3, 4, 2),)),
    "mean of all": (lambda f, a: (a * a).mean(), (drawn(3, 4),)),
    "reshape and transpose": (
        lambda f, a, b: a.reshape(4, 3) @ b @ (a.reshape(3, 4)).mT if f.torch
        else a.reshape(4, 3) @ b @ (a.reshape(3, 4)).T,
        (drawn(12), drawn(3, 4)),
    ),
    "exp and log": (lambda f, a: f.log(f.exp(a) + a * a), (drawn(3, 4),)),
    "tanh": (lambda f, a: f.tanh(a), (drawn(3, 4),)),
    "sigmoid, far out": (lambda f, a: f.sigmoid(a * 900), (drawn(3, 4),)),
    "relu": (lambda f, a: f.relu(a), (drawn(3, 4),)),
    "a diamond": (lambda f, a: f.exp(a) * f.tanh(a) + a * f.exp(a), (drawn(3),)),
    "one tensor, often": (lambda f, a: a * a * a + a, (drawn(3),)),
}  # fmt: skip


class Functions:
    def __init__(self, module: ModuleType) -> None:
        self.torch = module.__name__ == "torch"
        for name in ("exp", "log", "tanh", "sigmoid", "relu"):
            setattr(self, name, getattr(module, name))


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_gradients_are_those_of_pytorch(name, torch):
    expression, arrays = EXPRESSIONS[name]
    mine = [lean.Tensor(array, requires_grad=True) for array in arrays]
    theirs = [torch.tensor(array, requires_grad=True) for array in arrays]
    out, twin = expression(Functions(lean), *mine), expression(Functions(torch), *theirs)
    np.testing.assert_allclose(out.data, twin.detach().numpy(), **EXACT)
    grad = drawn(*out.shape, seed=7)
    out.backward(grad)
    twin.backward(torch.tensor(grad))
    for leaf, other in zip(mine, theirs, strict=True):
        assert leaf.grad.shape == leaf.shape
        np.testing.assert_allclose(leaf.grad, other.grad.numpy(), **EXACT)


def twin_of(model, torch):
    """`torch.nn` with the weights of an `MLP`."""
    layers = []
    for weight, bias in model.layers:
        linear = torch.nn.Linear(*weight.shape).double()
        linear.weight.data = torch.tensor(weight.data.T.copy())
        linear.bias.data = torch.tensor(bias.data)
        layers += [linear, torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])


def test_a_network_trains_as_in_pytorch(torch):
    model = lean.MLP((2, 7, 5, 3), seed=4)
    twin = twin_of(model, torch)
    mine, theirs = lean.SGD(model.parameters(), 0.3), torch.optim.SGD(twin.parameters(), 0.3)
    x, y = drawn(11, 2), np.arange(11) % 3
    for _ in range(5):
        mine.zero_grad()
        theirs.zero_grad()
        loss = lean.cross_entropy(model(lean.Tensor(x)), y)
        other = torch.nn.functional.cross_entropy(twin(torch.tensor(x)), torch.tensor(y))
        loss.backward()
        other.backward()
        assert float(loss.data) == pytest.approx(other.item(), abs=1e-10)
        for parameter, there in zip(model.parameters(), twin.parameters(), strict=True):
            np.testing.assert_allclose(parameter.grad, there.grad.numpy().T, **EXACT)
        mine.step()
        theirs.step()
    for parameter, there in zip(model.parameters(), twin.parameters(), strict=True):
        np.testing.assert_allclose(parameter.data, there.detach().numpy().T, **EXACT)


def test_cross_entropy_is_finite_far_out_and_its_gradient_adds_up_to_nothing():
    scores = lean.Tensor([[1e4, -1e4, 0.0], [-1e4, 1e4, 5.0]], requires_grad=True)
    loss = lean.cross_entropy(scores, [1, 1])
    loss.backward()
    assert float(loss.data) == 1e4  # (2e4 + 0) / 2
    np.testing.assert_allclose(scores.grad, [[0.5, -0.5, 0], [0, 0, 0]], **EXACT)


def test_labels_may_be_bytes():
    scores = lean.Tensor(drawn(300, 3))
    y = np.arange(300) % 3
    losses = {float(lean.cross_entropy(scores, y.astype(kind)).data) for kind in ("u1", "i8")}
    assert len(losses) == 1


def test_a_fused_op_is_what_its_parts_are():
    arrays = drawn(6, 3), drawn(3, 4), drawn(4)
    gradients = []
    for expression in (lean.linear_tanh, lambda x, w, b: lean.tanh(x @ w + b)):
        leaves = [lean.Tensor(array, requires_grad=True) for array in arrays]
        expression(*leaves).backward(drawn(6, 4, seed=2))
        gradients.append([leaf.grad for leaf in leaves])
    for one, other in zip(*gradients, strict=True):
        np.testing.assert_allclose(one, other, **EXACT)


@pytest.mark.parametrize("frozen", range(3))
def test_whoever_requires_no_gradient_gets_none(frozen):
    leaves = [
        lean.Tensor(array, requires_grad=i != frozen)
        for i, array in enumerate((drawn(6, 3), drawn(3, 4), drawn(4)))
    ]
    (lean.linear_tanh(*leaves) + leaves[0] @ leaves[1] * leaves[2]).backward()
    for i, leaf in enumerate(leaves):
        assert (leaf.grad is None) == (i == frozen)


def test_no_graph_is_kept_where_none_is_needed():
    out = lean.linear_tanh(*map(lean.Tensor, (drawn(6, 3), drawn(3, 4), drawn(4))))
    assert out._inputs == () and out._rule is None and not out.requires_grad
    out.backward()  # nothing to do


def test_leaves_add_up_over_calls_and_inner_nodes_keep_nothing():
    x = lean.Tensor([3.0], requires_grad=True)
    y = x * x
    z = y * x
    z.backward()
    z.backward()
    assert x.grad.tolist() == [54.0]  # twice 27: inner nodes begin anew
    assert y.grad is None
    lean.Tensor(1.0).backward()
    x.backward()
    assert x.grad.tolist() == [55.0]


def test_a_long_chain_and_a_ladder_of_diamonds_take_one_visit_per_node():
    x = lean.Tensor(1.0, requires_grad=True)
    chain, ladder = x, x
    for _ in range(20_000):
        chain = chain + 1.0
    for _ in range(60):  # 2^60 paths
        ladder = ladder + ladder
    chain.backward()
    ladder.backward()
    assert float(x.grad) == 1 + 2.0**60


def test_float32_stays_and_integers_become_floats():
    model = lean.MLP((2, 4, 3))
    for parameter in model.parameters():
        parameter.data = parameter.data.astype(np.float32)
    loss = lean.cross_entropy(model(lean.Tensor(drawn(5, 2).astype(np.float32))), np.arange(5) % 3)
    loss.backward()
    assert all(parameter.grad.dtype == np.float32 for parameter in model.parameters())
    assert lean.Tensor([1, 2]).data.dtype == np.float64


def test_the_optimizer_follows_a_parameter_that_was_given_another_array():
    model = lean.MLP((2, 3))
    optimizer = lean.SGD(model.parameters(), lr=0.5)
    weight, bias = model.parameters()
    before = bias.data.copy()
    weight.data = np.ones((2, 3))
    weight.grad = np.full((2, 3), 0.5)
    optimizer.step()  # no gradient has reached the bias
    np.testing.assert_allclose(weight.data, np.full((2, 3), 0.75))
    np.testing.assert_array_equal(bias.data, before)
    weight.data[:] = 0  # in place is as good
    optimizer.step()
    np.testing.assert_allclose(weight.data, np.full((2, 3), -0.25))


def test_what_cannot_work_is_told():
    with pytest.raises(ValueError, match="no parameters"):
        lean.SGD([])
    mixed = [lean.Tensor(np.zeros(2, dtype), True) for dtype in ("f4", "f8")]
    with pytest.raises(ValueError, match="one dtype"):
        lean.SGD(mixed)
    with pytest.raises(ValueError, match=r"shape \(3,\) for values of shape \(2,\)"):
        lean.Tensor([1.0, 2.0], True).backward(np.ones(3))


def test_ones_that_are_shared_cannot_be_written():
    x = lean.Tensor([1.0, 2.0], requires_grad=True)
    (x + 0.0).backward()
    with pytest.raises(ValueError, match="read-only"):
        x.grad += 1
    np.testing.assert_array_equal(lean._ones((2,), x.data.dtype), [1, 1])


def test_a_step_leaves_no_circles_for_the_garbage_collector():
    code = (
        "import gc, sys; sys.path.insert(0, sys.argv[1]); import lean, numpy as np\n"
        "model = lean.MLP((2, 8, 3)); x, y = lean.Tensor(np.ones((4, 2))), [0, 1, 2, 0]\n"
        "gc.disable(); gc.collect()\n"
        "for _ in range(3): lean.cross_entropy(model(x), y).backward()\n"
        "print(gc.collect())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(FILE.parent)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "0\n"


def test_numpy_is_all_that_it_imports():
    tree = ast.parse(FILE.read_text("utf-8"))
    named = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    named += [n.module or "." for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in named} - set(sys.stdlib_module_names) == {"numpy"}
