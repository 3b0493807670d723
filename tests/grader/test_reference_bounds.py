"""The reference keeps its promises at their bounds: cut files, empty data, huge numbers."""

from __future__ import annotations

import itertools
import math
import struct
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .examples import SOME
from .reference_package import reference_package


@pytest.fixture
def bg():
    return reference_package()


# ---- files, whole and cut off ---------------------------------------------------------------

SHAPES = st.lists(st.integers(0, 3), max_size=3).map(tuple)


def idx_bytes(shape) -> bytes:
    sizes = struct.pack(f">{len(shape)}I", *shape)
    return bytes([0, 0, 8, len(shape)]) + sizes + bytes(range(math.prod(shape)))


@SOME
@given(shapes=st.lists(SHAPES, min_size=1, max_size=3))
def test_a_file_that_ends_too_early_is_refused_in_words(bg, shapes):
    """Every beginning of a file of either format."""
    state = {f"a{at}": np.zeros(shape, "float32") for at, shape in enumerate(shapes)}
    whole = bg.checkpoint.safetensors_bytes(state)
    files = [(bg.checkpoint.parse_safetensors, whole)]
    files += [(bg.data.parse_idx, idx_bytes(shape)) for shape in shapes]
    for parse, data in files:
        parse(data)
        for end in range(len(data)):
            with pytest.raises(ValueError) as raised:
                parse(data[:end])
            assert raised.type is ValueError and len(str(raised.value).split()) > 3


@pytest.mark.parametrize("count", range(3))
def test_mnist_files_may_hold_any_number_of_images(bg, count):
    images, labels = bg.data.parse_mnist(idx_bytes((count, 2, 3)), idx_bytes((count,)))
    assert images.shape == (count, 6) and labels.shape == (count,)


# ---- data sets that are left alone ----------------------------------------------------------


def doubled_in_place(image):
    image *= 2
    return image


TRANSFORMS = {
    "in place": lambda data: doubled_in_place,
    "normalized": lambda data: data.Normalize([0.5], [0.25]),
    "flipped": lambda data: data.RandomFlipHorizontal(1.0),
    "cropped": lambda data: data.RandomCrop(1),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("is_mnist", [True, False])
def test_a_transform_leaves_the_data_set_alone(bg, name, is_mnist):
    """It may write into what it gets: the next time the same image comes again."""
    chain = [TRANSFORMS[name](bg.data), doubled_in_place]
    if is_mnist:
        file = bytes([0, 0, 8, 3]) + struct.pack(">3I", 1, 28, 28) + bytes(range(196)) * 4
        dataset = bg.data.MNISTDataset(file, idx_bytes((1,)), chain)
        array = dataset.images
    else:
        array = np.arange(12, dtype="float32").reshape(2, 2, 3, 1)
        dataset = bg.data.ArrayDataset(array, transforms=chain)
    before = array.copy()
    samples = []
    for _ in range(2):
        np.random.seed(0)
        samples.append(dataset[0][0].copy())
    np.testing.assert_array_equal(array, before)
    np.testing.assert_array_equal(*samples)


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32", "float64"])
@pytest.mark.parametrize("mean, std", [(0.5, 0.25), ([127.5], [63.5])])
def test_an_image_of_any_dtype_can_be_normalized(bg, dtype, mean, std):
    image = np.arange(6, dtype=dtype).reshape(1, 6, 1)
    normal = bg.data.Normalize(mean, std)(image)
    right = (np.arange(6).reshape(1, 6, 1) - np.array(mean)) / np.array(std)
    np.testing.assert_allclose(normal, right, rtol=1e-6)
    assert normal.dtype == ("float32" if dtype in ("uint8", "float32") else "float64")


# ---- what is at its bound -------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 30))
def test_a_nucleus_of_equal_tokens_has_their_share(bg, count):
    for share in range(1, count + 1):
        kept = bg.inference.nucleus(np.full(count, 1 / count), share / count)
        assert np.count_nonzero(kept) == share


@SOME
@given(weights=st.lists(st.integers(0, 9), min_size=1, max_size=9).filter(any))
def test_the_largest_number_draws_a_possible_token(bg, weights):
    highest = SimpleNamespace(random=lambda: math.nextafter(1.0, 0.0))
    for dtype in ("float16", "float32", "float64"):
        chances = np.array(weights, dtype) / np.array(sum(weights), dtype)
        assert chances[bg.inference.draw(chances, highest)] > 0


@pytest.mark.parametrize(
    "name", ["xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal"]
)
@pytest.mark.parametrize("shape", [None, (), (0,), (2, 3, 4)])
def test_first_weights_have_the_shape_that_is_asked_for(bg, name, shape):
    weights = getattr(bg.init, name)(2, 3, shape=shape)
    assert weights.shape == ((2, 3) if shape is None else shape)


def test_no_epoch_leaves_the_model_in_training_mode(bg):
    model = bg.nn.Dropout().eval()
    assert bg.trainer.Trainer(model, None, None, []).fit(0) == []
    assert model.training


@pytest.mark.parametrize("power", range(-30, 38, 4))
def test_gradients_of_any_size_are_clipped(bg, power):
    parameter = bg.Tensor([0.0, 0.0])
    parameter.grad = np.array([3.0, 4.0], "float32") * np.float32(f"1e{power}")
    total = bg.optim.clip_grad_norm([parameter], 10.0**power)
    assert total == pytest.approx(5 * 10.0**power, rel=1e-5)
    np.testing.assert_allclose(parameter.grad / 10.0**power, [0.6, 0.8], rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_of_any_size_are_quantised(bg, dtype):
    with np.errstate(divide="raise", invalid="raise"):
        for power in range(-330, 35):
            row = (np.array([-9.0, 1.0, 5.0]) * float(f"1e{power}")).astype(dtype)
            codes, scales = bg.inference.quantise(row[None])
            error = np.abs(codes * np.float64(scales) - row)
            assert scales[0] > 0 and (error <= scales / 2 * (1 + 1e-5)).all()


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
@pytest.mark.parametrize("kind", ["Tensor", "array", "list"])
def test_targets_are_whole_numbers_of_any_kind(bg, dtype, kind):
    numbers = np.array([[2, -1], [0, 1]], dtype)
    targets = {
        "Tensor": bg.Tensor(numbers, dtype=dtype),
        "array": numbers,
        "list": numbers.tolist(),
    }
    logits = bg.Tensor(np.arange(12.0).reshape(2, 2, 3) ** 0.5, dtype="float64")
    counted = bg.Tensor(logits.data.reshape(4, 3)[[0, 2, 3]], dtype="float64")
    right = bg.nn.SoftmaxLoss()(counted, [2, 0, 1])
    np.testing.assert_allclose(bg.gpt.cross_entropy(logits, targets[kind]).data, right.data)


# ---- own memory, and depth ------------------------------------------------------------------


@pytest.mark.parametrize("walk", ["backward", "mended_backward"])
def test_every_leaf_has_a_gradient_of_its_own(bg, walk):
    a, b, start = bg.Tensor([1.0]), bg.Tensor([2.0]), bg.Tensor([3.0])
    if walk == "backward":
        (a + b).backward(start)
    else:
        bg.bughunt.mended_backward(a + b, start)
    for one, other in itertools.combinations((a.grad, b.grad, start.data), 2):
        assert not np.shares_memory(one, other)


def test_a_stack_keeps_the_list_of_its_making(bg):
    tensors = [bg.engines.closure.Tensor([1.0]) for _ in range(3)]
    given = list(tensors)
    out = bg.engines.closure.stack(given)
    given.reverse()
    out.backward([[1.0], [2.0], [3.0]])
    assert [each.grad.tolist() for each in tensors] == [[1.0], [2.0], [3.0]]


@pytest.mark.parametrize("kind", ["list", "tuple", "dict", "Module"])
def test_a_search_goes_to_any_depth(bg, kind):
    weight = inner = bg.nn.Parameter([1.0])
    for _ in range(2000):
        if kind == "Module":
            inner = bg.nn.Residual(inner)
        else:
            inner = {"list": [inner], "tuple": (inner,), "dict": {0: inner}}[kind]
    assert bg.nn.collect(inner, bg.nn.Parameter) == [weight]
    assert [*bg.nn.named_state(inner).values()] == [weight]
