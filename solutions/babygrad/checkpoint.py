"""States: what was learned, as a flat dict of names and arrays, and its way to a file (chapter 8).

``Module.state_dict`` and ``Optimizer.state_dict`` make states. Here they are compared, written,
read, and put together. No function here pickles: to unpickle a file is to run a program that
somebody else wrote.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .tensor import NDArray

State = dict[str, NDArray]
File = str | Path | BinaryIO


# ---- two states compared ------------------------------------------------------------------


def require_match(own: Mapping[str, Any], state: Mapping[str, Any]) -> None:
    """Make sure that ``state`` has the names of ``own``, and the same shape under each of them.

    Args:
        own: what has to be filled: names, and Tensors or arrays; their ``shape`` counts.
        state: what has to be loaded: names, and arrays. dtypes may differ.

    Both stay as they were.

    Raises:
        ValueError: a name is missing from ``state``, is unexpected there, or its shape differs.
            The message holds every one of these names, of all three kinds at once, and no name
            that is all right. It helps to give both shapes, too; the wording is yours.
    """
    ### BEGIN SOLUTION
    problems = {
        "missing": [name for name in own if name not in state],
        "unexpected": [name for name in state if name not in own],
        "of another shape": [
            f"{name} is {np.shape(state[name])}, not {own[name].shape}"
            for name in own
            if name in state and np.shape(state[name]) != own[name].shape
        ],
    }
    told = [f"{kind}: {', '.join(names)}" for kind, names in problems.items() if names]
    if told:
        raise ValueError("This state does not fit. " + "; ".join(told))
    ### END SOLUTION


def join(**states: Mapping[str, NDArray]) -> State:
    """Several states as one: ``join(model=a, optimizer=b)`` has names like ``model.weight``.

    Given.
    """
    return {
        f"{part}.{name}": array for part, state in states.items() for name, array in state.items()
    }


def part_of(state: Mapping[str, NDArray], part: str) -> State:
    """One of the states that ``join`` put together, under the names that it had before.

    Given.
    """
    start = f"{part}."
    return {
        name.removeprefix(start): array for name, array in state.items() if name.startswith(start)
    }


# ---- to a file and back -------------------------------------------------------------------


@contextlib.contextmanager
def opened(file: File, mode: str) -> Iterator[BinaryIO]:
    """``with opened(file, "wb") as out``: an open binary file, whatever ``file`` is. Given.

    A path is opened and closed again. For writing, a file with ``.part`` at the end of its name is
    written first and then renamed: whatever interrupts that, the old file is whole. An open binary
    file, such as ``io.BytesIO()``, is returned as it is, and stays open.
    """
    if not isinstance(file, (str, Path)):
        yield file
    elif mode == "rb":
        with open(file, "rb") as source:
            yield source
    else:
        unfinished = f"{file}.part"
        with open(unfinished, "wb") as target:
            yield target
        os.replace(unfinished, file)


def save(state: Mapping[str, NDArray], file: File) -> None:
    """Write a state into an ``.npz`` file: a zip archive with one array per name, whatever the
    names are.

    Args:
        state: names and arrays.
        file: a path, which is used exactly as given, or a binary file that is open for writing;
            ``opened`` takes care of that.

    Every array is written with its dtype and shape.

    Raises:
        ValueError: the dtype of an array is ``object``. NumPy would pickle it. The message holds
            the names of all such arrays, and nothing is written or pickled.
    """
    ### BEGIN SOLUTION
    arrays = {name: np.asarray(array) for name, array in state.items()}
    objects = [name for name, array in arrays.items() if array.dtype.hasobject]
    if objects:
        raise ValueError(f"only pickle could write these: {', '.join(objects)}")
    # Not `np.savez(target, **arrays)`: it takes the names file and allow_pickle for its own.
    # force_zip64: an array may be larger than 2 GiB.
    with opened(file, "wb") as target, zipfile.ZipFile(target, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.save(entry, array, allow_pickle=False)
    ### END SOLUTION


def load(file: File) -> State:
    """Read a state from an ``.npz`` file, as ``save`` wrote it.

    Args:
        file: a path, or a binary file that is open for reading; ``opened`` takes care of that.

    Returns:
        a plain dict of names and arrays. All of them are in memory: the file may be closed,
        changed or deleted afterwards.

    Raises:
        ValueError: an array in the file is pickled, or the file itself is a pickle. Nothing is
            unpickled.
    """
    ### BEGIN SOLUTION
    # An archive reads each array when it is asked for it: so ask while the file is open.
    with opened(file, "rb") as source, np.load(source, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
    ### END SOLUTION


# ---- chance -------------------------------------------------------------------------------


def random_state() -> State:
    """The state of NumPy's random numbers, as arrays that ``save`` can write.

    Everything that ``np.random.get_state()`` returns, under names of your choice, except the name
    of the algorithm: ``np.random`` has only one, "MT19937". Later draws do not change the state.
    """
    ### BEGIN SOLUTION
    _, keys, position, has_gauss, cached_gaussian = np.random.get_state()
    return {
        "keys": np.array(keys),
        "position": np.array(position),
        "has_gauss": np.array(has_gauss),
        "cached_gaussian": np.array(cached_gaussian),
    }
    ### END SOLUTION


def set_random_state(state: Mapping[str, NDArray]) -> None:
    """Continue where ``random_state`` was called: the same draws come again.

    This holds for every function of ``np.random``: uniform, normal, shuffled. The state stays as it
    was, so you can set it more than once.
    """
    ### BEGIN SOLUTION
    np.random.set_state(
        (
            "MT19937",
            state["keys"],
            int(state["position"]),
            int(state["has_gauss"]),
            float(state["cached_gaussian"]),
        )
    )
    ### END SOLUTION


# ---- safetensors: the format in which models travel ---------------------------------------

# The codes of the format, as NumPy calls these types; `<` is little-endian.
SAFETENSORS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip


def parse_safetensors(data: bytes) -> State:
    """The state in a ``.safetensors`` file.

    The file is a length, a header, and the values:

        bytes 0 to 7     how many bytes the header has, an unsigned integer, little-endian
        the header       JSON: name → {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
        the rest         the values, the last axis running fastest

    ``data_offsets`` say where the bytes of an array begin and where they end, counted from the
    first byte after the header. The header's entries may come in any order. One of them,
    ``__metadata__``, may be there or not; it holds notes, and isn't an array. ``SAFETENSORS`` has
    the codes of the types.

    Returns:
        names and arrays, each with the shape and dtype that the header says.

    Raises:
        ValueError: the header names a type that ``SAFETENSORS`` does not know, or the bytes
            between the offsets are not as many as the shape needs.

    Source: https://github.com/huggingface/safetensors, section "Format".
    """
    ### BEGIN SOLUTION
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 + length:
        raise ValueError(f"the file ends in its header, after {len(data)} bytes")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    values = data[8 + length :]
    state = {}
    for name, entry in header.items():
        if entry["dtype"] not in SAFETENSORS:
            raise ValueError(f"{name} is of the type {entry['dtype']}, which is not known here")
        begin, end = entry["data_offsets"]
        flat = np.frombuffer(values[begin:end], dtype=SAFETENSORS[entry["dtype"]])
        state[name] = flat.reshape(entry["shape"])
    return state
    ### END SOLUTION


def safetensors_bytes(state: Mapping[str, NDArray]) -> bytes:
    """A state as the bytes of a ``.safetensors`` file. Given; ``parse_safetensors`` reads it.

    Raises:
        ValueError: an array has a dtype that the format has no code for.
    """
    codes = {np.dtype(numpy_type): code for code, numpy_type in SAFETENSORS.items()}
    header: dict[str, Any] = {}
    values = b""
    for name, array in state.items():
        kind = np.asarray(array).dtype
        if kind not in codes:
            raise ValueError(f"{name} is of the dtype {kind}, which safetensors has no code for")
        raw = np.asarray(array).tobytes()
        begin, end = len(values), len(values) + len(raw)
        shape = list(np.shape(array))
        header[name] = {"dtype": codes[kind], "shape": shape, "data_offsets": [begin, end]}
        values += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # so that the values begin where a processor likes them to
    return struct.pack("<Q", len(text)) + text + values
