"""The reference as a model: what learners read once they have written their own."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import itertools
import math
import operator

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from .examples import SOME
from .reference_package import FILES, reference_package

WHICH = st.tuples(st.integers(0, 2), st.booleans())  # an object, and whether it ends in an error
BLOCKS = st.recursive(st.just([]), lambda inner: st.lists(st.tuples(WHICH, inner), max_size=3))
BOTH_SIDES = (operator.add, operator.sub, operator.mul, operator.truediv)
NO_NUMBERS = ([1.0, 2.0], (1.0, 2.0), np.ones(2))
NUMBERS = (2, 2.5, True, np.float32(2), np.float64(2), np.int64(2), np.array(2.0))


@pytest.fixture
def bg():
    return reference_package()


@pytest.mark.parametrize("other", NO_NUMBERS, ids=lambda other: type(other).__name__)
@pytest.mark.parametrize("sign", (*BOTH_SIDES, operator.pow), ids=lambda sign: sign.__name__)
def test_a_list_or_an_array_is_refused_in_one_sentence(bg, sign, other):
    says = f"wrap this {type(other).__name__}: Tensor"
    with pytest.raises(TypeError, match=says):
        sign(bg.Tensor([1.0, 2.0]), other)
    if sign in BOTH_SIDES:
        with pytest.raises(TypeError, match=says):
            sign(other, bg.Tensor([1.0, 2.0]))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("number", NUMBERS)
def test_every_kind_of_number_goes_with_a_tensor(bg, number, dtype):
    """Values are NumPy's; value and gradient have the dtype of the Tensor."""

    def compare(out, right):
        x.grad = None
        out.backward()
        np.testing.assert_allclose(out.data, right, rtol=1e-3 if dtype == "float16" else 1e-6)
        assert out.dtype == x.grad.dtype == dtype

    x = bg.Tensor([1.0, 2.0], dtype=dtype)
    for sign in (*BOTH_SIDES, operator.pow):
        compare(sign(x, number), sign(x.data, number))
        if sign in BOTH_SIDES:
            compare(sign(number, x), sign(number, x.data))


def with_numbers_of_numpy(kind, *arguments):
    """``kind(*arguments)`` with np.float64 for every number that it has a default for."""
    options = {name: each.default for name, each in inspect.signature(kind).parameters.items()}
    numbers = {name: each for name, each in options.items() if isinstance(each, (float, tuple))}
    others = {
        name: tuple(map(np.float64, each)) if isinstance(each, tuple) else np.float64(each or 0.1)
        for name, each in numbers.items()
    }
    return kind(*arguments, **others)


@pytest.mark.parametrize("name", ["LayerNorm1d", "BatchNorm1d", "Dropout"])
def test_options_of_a_layer_leave_the_dtype_alone(bg, name):
    layer = with_numbers_of_numpy(getattr(bg.nn, name), *([] if name == "Dropout" else [2]))
    for mode in (True, False):
        assert layer.train(mode)(bg.Tensor([[1.0, 2.0], [3.0, 5.0]])).dtype == "float32"
        assert {each.dtype.name for each in bg.nn.named_state(layer).values()} <= {"float32"}


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW"])
def test_options_of_an_optimizer_leave_the_dtype_alone(bg, name):
    parameter = bg.Tensor([1.0, 2.0])
    optimizer = with_numbers_of_numpy(getattr(bg.optim, name), [parameter])
    for _ in range(2):
        parameter.grad = np.array([3.0, 4.0], "float32")
        assert bg.optim.clip_grad_norm([parameter], np.float64(1.0)) == pytest.approx(5.0)
        optimizer.step()
    arrays = [each for each in optimizer.state_dict().values() if each.ndim]
    assert {each.dtype.name for each in (parameter, parameter.grad, *arrays)} == {"float32"}


# ---- blocks that are entered again --------------------------------------------------------


def test_no_grad_is_the_only_block_that_is_a_class(bg):
    files = [getattr(bg, file.stem) for file in FILES]
    kinds = {kind for file in files for kind in vars(file).values() if isinstance(kind, type)}
    mine = {kind for kind in kinds if kind.__module__.startswith(bg.__name__)}
    assert {kind.__name__ for kind in mine if hasattr(kind, "__enter__")} == {"no_grad"}


@SOME
@given(blocks=BLOCKS)
def test_a_block_may_be_entered_again_at_any_time(bg, blocks):
    """Three objects, entered one after the other and inside each other, some left by an error."""
    objects, x = [bg.memory.no_grad() for _ in range(3)], bg.Tensor([1.0])
    before = bg.ops.Function.__call__

    def enter(blocks, is_recorded):
        for (number, breaks_off), inner in blocks:
            with contextlib.suppress(KeyError), objects[number]:
                enter(inner, False)
                if breaks_off:
                    raise KeyError
            assert bg.ops.Function.__call__ is (before if is_recorded else bg.memory.without_graph)
        assert ((x * 2.0)._op is not None) == is_recorded

    try:
        enter(blocks, True)
    finally:
        bg.ops.Function.__call__ = before


# ---- names of a state ---------------------------------------------------------------------

# Names that NumPy's functions have taken for themselves, and any that a module can have.
WRITERS = (np.savez, np.savez_compressed, np.save, np.load)
TAKEN = sorted({name for f in WRITERS for name in inspect.signature(f).parameters})
WORDS = st.from_regex(r"[A-Za-z_]\w{0,8}", fullmatch=True) | st.sampled_from([*TAKEN, "arr_0"])
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(".".join) | st.sampled_from(TAKEN)


@SOME
@given(names=st.lists(NAMES, unique=True, max_size=8))
@example(names=TAKEN)
def test_a_state_comes_back_from_a_file_under_any_names(bg, names):
    state, file = {name: np.array(float(at)) for at, name in enumerate(names)}, io.BytesIO()
    bg.checkpoint.save(state, file)
    assert bg.checkpoint.load(io.BytesIO(file.getvalue())) == state


# ---- axes that count from the end ---------------------------------------------------------

SHAPE = (2, 3, 4)
# Ops that take axes, by their parameters → other parameters, and the values that axes may have.
SUBSETS = [a for n in (1, 2, 3) for a in itertools.combinations(range(3), n)]
AXES = {
    "Transpose": ({}, list(itertools.permutations(range(3)))),
    "Summation": ({}, [0, 1, 2, *SUBSETS]),
    "LogSumExp": ({}, [0, 1, 2, *SUBSETS]),
    "LogSoftmax": ({}, [0, 1, 2]),
    "Dilate": ({"step": 2}, [0, 1, 2, *SUBSETS]),
    "Flip": ({}, [0, 1, 2, *SUBSETS]),
    "Max": ({}, [0, 1, 2, *SUBSETS]),
}


def names_of_axes(kind) -> list[str]:
    return [name for name in inspect.signature(kind).parameters if name in ("axes", "axis")]


def from_the_end(axes):
    """The same axes in every way that counts some of them from the end."""
    if isinstance(axes, int):
        return [axes - 3]
    signs = itertools.product((0, 3), repeat=len(axes))
    return [tuple(map(operator.sub, axes, each)) for each in signs]


def test_every_op_with_axes_is_tried_with_negative_ones(bg):
    kinds = [kind for kind in vars(bg.ops).values() if isinstance(kind, type)]
    ops = (kind for kind in kinds if issubclass(kind, bg.ops.Function))
    assert {op.__name__ for op in ops if names_of_axes(op)} == {*AXES}


@pytest.mark.parametrize("op", AXES)
def test_an_axis_may_count_from_the_end(bg, op):
    """Values, gradients, tangents and the compiled program are those of the same axes from 0 on."""
    kind, (more, choices) = getattr(bg.ops, op), AXES[op]
    (name,) = names_of_axes(kind)

    def all_of(axes):
        x, v = (bg.Tensor(rng.normal(size=SHAPE), dtype="float64") for _ in range(2))

        def f(x):
            return kind(**{name: axes}, **more)(x)

        out = f(x)
        out.backward(bg.Tensor(rng.normal(size=out.shape), dtype="float64"))
        _, tangent = bg.forward_mode.jvp(f, [x], [v])
        return [out.data, x.grad, tangent.data, bg.compiler.Compiled(f)(x)[0]]

    for axes in choices:
        rng = np.random.RandomState(0)
        right = all_of(axes)
        for other in from_the_end(axes):
            rng = np.random.RandomState(0)
            for one, two in zip(right, all_of(other), strict=True):
                np.testing.assert_array_equal(one, two, f"{op}, {name}={other}")


def test_a_pass_sees_through_a_transpose_however_its_axes_count(bg):
    """`identity` and `undone`, over all pairs of permutations, each counted in every way."""
    passes, make = bg.passes, bg.tracing.Instruction
    x = make("input", (), "x0", (2, 2, 2), "float64")
    permutations = itertools.permutations(range(3))
    every = [None, *(each for axes in permutations for each in from_the_end(axes))]

    def turned(array, axes):
        return array.swapaxes(-1, -2) if axes is None else array.transpose(axes)

    still = np.arange(8).reshape(2, 2, 2)
    for first, second in itertools.product(every, every):
        one = make("Transpose", ("x0",), "v0", x.shape, x.dtype, {"axes": first})
        two = make("Transpose", ("v0",), "v1", x.shape, x.dtype, {"axes": second})
        made = {"x0": x, "v0": one}
        same = np.array_equal(turned(still, first), still)
        assert passes.identity(one, made) == ("x0" if same else None), first
        back = np.array_equal(turned(turned(still, first), second), still)
        assert passes.undone(two, made) == ("x0" if back else None), (first, second)


@pytest.mark.parametrize("op", ["Summation", "LogSumExp", "Max"])
def test_a_forward_over_any_axes_returns_an_array(bg, op):
    for axes in (None, *AXES[op][1]):
        for forward in (getattr(bg.ops, op)(axes).forward, bg.tracing.KERNELS[op]):
            options = {"axes": axes} if forward is bg.tracing.KERNELS[op] else {}
            assert type(forward(np.ones(SHAPE), **options)) is np.ndarray


# ---- powers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("exponent", range(4))
def test_a_power_has_all_its_derivatives_at_zero(bg, exponent):
    """The n-th derivative of aᵏ at 0 is k! where n is k, else 0."""
    value = bg.scalar.Value(0.0)
    (value**exponent).backward()
    assert value.grad == (exponent == 1)

    f, x = (lambda a: a**exponent), bg.Tensor(0.0, dtype="float64")
    y = f(x)
    for order in range(1, 5):
        right = math.factorial(exponent) if order == exponent else 0.0
        f = functools.partial(bg.forward_mode.derivative, f)
        assert f(0.0) == right
        (y,) = bg.higher.grad(y, [x], create_graph=True)
        assert y.data == right
