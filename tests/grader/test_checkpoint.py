"""Files that no learner's check can see: with a path, and read by other programs."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest

from grader import root

STATE = {
    "layers.0.weight": np.arange(6, dtype="float32").reshape(2, 3) / 4,
    "steps.0": np.array(7),
    "mask": np.array([True, False, True]),
    "half": np.array([0.5, -2.0], dtype="float16"),
    "empty": np.zeros((0, 3)),
}


@pytest.fixture(scope="module")
def checkpoint():
    """The reference's module, imported from where it lies."""
    sys.path.insert(0, root.path("solutions"))
    try:
        yield importlib.import_module("babygrad.checkpoint")
    finally:
        sys.path.remove(root.path("solutions"))
        for name in [n for n in sys.modules if n.partition(".")[0] == "babygrad"]:
            del sys.modules[name]


def same(one, other):
    assert sorted(one) == sorted(other)
    for name in one:
        assert one[name].dtype == other[name].dtype, name
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("form", (str, lambda path: path), ids=("str", "Path"))
@pytest.mark.parametrize("name", ("model.npz", "model", "model.v2"))
def test_a_path_is_used_exactly_as_it_is_given(checkpoint, tmp_path, name, form):
    path = form(tmp_path / name)
    checkpoint.save(STATE, path)
    assert [file.name for file in tmp_path.iterdir()] == [name]
    same(checkpoint.load(path), STATE)


def test_what_was_loaded_outlives_its_file(checkpoint, tmp_path):
    path = tmp_path / "model.npz"
    checkpoint.save(STATE, path)
    found = checkpoint.load(path)
    path.unlink()
    same(found, STATE)


def test_a_save_that_breaks_off_leaves_the_old_file_whole(checkpoint, tmp_path):
    path = tmp_path / "model.npz"
    checkpoint.save(STATE, path)
    with pytest.raises(KeyboardInterrupt), checkpoint.opened(path, "wb") as target:
        target.write(b"half a f")
        raise KeyboardInterrupt
    same(checkpoint.load(path), STATE)
    with pytest.raises(ValueError, match="pickle"):
        checkpoint.save({"notes": np.array([{}])}, path)
    same(checkpoint.load(path), STATE)


def test_join_and_part_of_keep_the_parts_apart(checkpoint):
    whole = checkpoint.join(model=STATE, model2={"mask": np.zeros(1)})
    assert len(whole) == len(STATE) + 1
    same(checkpoint.part_of(whole, "model"), STATE)
    same(checkpoint.part_of(whole, "model2"), {"mask": np.zeros(1)})


def test_the_file_that_safetensors_writes_is_read(checkpoint):
    safetensors = pytest.importorskip("safetensors.numpy")
    data = safetensors.save(STATE, metadata={"made by": "a test"})
    same(checkpoint.parse_safetensors(data), STATE)


def test_safetensors_reads_the_file_that_is_written(checkpoint, tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    data = checkpoint.safetensors_bytes(STATE)
    same(safetensors.load(data), STATE)
    path = tmp_path / "model.safetensors"
    path.write_bytes(data)
    same(safetensors.load_file(path), STATE)


@pytest.mark.long
def test_pytorch_opens_the_file_as_its_own_state(checkpoint, tmp_path, torch):
    files = pytest.importorskip("safetensors.torch")
    state = {"weight": np.array([[1.5, -2.0]], dtype="float32"), "bias": np.array([0.5], "float32")}
    path = tmp_path / "linear.safetensors"
    path.write_bytes(checkpoint.safetensors_bytes(state))
    linear = torch.nn.Linear(2, 1)
    linear.load_state_dict(files.load_file(path))
    assert linear(torch.tensor([[2.0, 1.0]])).item() == 1.5


def test_a_dtype_without_a_code_is_named(checkpoint):
    with pytest.raises(ValueError, match="names is of the dtype <U1"):
        checkpoint.safetensors_bytes({"names": np.array(["a"])})
