"""Checks of `save`, `load`, the random state and `parse_safetensors`; all files are in memory."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for, start_for
from tests.programs.harness import names_of, text

from . import specs
from .specs import Values

SAVE, LOAD = "chapter8.save", "chapter8.load"
TO_FILE = "or a binary file that is open for writing"
FORMAT = (
    "in a `.safetensors` file … a length, a header, and … an unsigned integer, little-endian … the "
    "rest the values, the last axis running fastest"
)
NOTES = "One of them, `__metadata__`, may be there or not; it holds notes, and isn't an array"
CHANCE, SAFE = "chapter8.random_state", "chapter8.parse_safetensors"


def checks(seed: str) -> Iterator[Check]:
    yield from _save(seed)
    yield from _load(seed)
    yield from _chance(seed)
    yield from _safetensors(seed)


def state_of(rng: Random, *names: str) -> Values:
    """Arrays of different shapes and dtypes under these names."""
    kinds = (((2, 3), "float64"), ((3,), "float32"), ((), "int64"), ((2, 1, 2), "bool"))
    state = {}
    for name, (shape, dtype) in zip(names, kinds, strict=False):
        values = np.asarray(REAL.draw(rng, shape))
        # `asarray`: arithmetic makes a NumPy number, no array, of the shape ().
        state[name] = np.asarray(values > 0 if dtype == "bool" else values * 8, dtype=dtype)
    return state


NAMES = ("model.layers.0.weight", "model.layers.0.bias", "optimizer.steps.0", "seen")


def file_probe(program: str, call: str, state: Values) -> Probe:
    def numpy() -> Parts:
        return {"value": specs.in_order(state), "names": [names_of(state)]}

    return Probe(program, (state,), call, oracles={"numpy": numpy})


def path_probe(program: str, call: str, kind: str, state: Values) -> Probe:
    """With a path of one kind: what stands in the file is told by its names."""

    def numpy() -> Parts:
        if program == "state_files.read_from_path":
            return {"value": specs.in_order(state)}
        return {"value": [text(f"weights: {', '.join(sorted(state))}")]}

    shown = {"str": '"…/weights"', "Path": 'Path("…/weights")'}[kind]
    return Probe(program, (state, kind), call.format(shown), oracles={"numpy": numpy})


def _save(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, SAVE)
    probe = partial(file_probe, "state_files.saved", "save(state, io.BytesIO())")
    plain, mixed = probe(state_of(rng, "weight")), probe(state_of(rng, *NAMES))
    bad = Probe(
        "state_files.saved_objects", (state_of(rng, "weight", "bias"), ["history", "notes"]),
        "save(a state with arrays of objects, io.BytesIO())",
    )  # fmt: skip
    named = state_of(rng, "weight", "bias")
    paths = tuple(path_probe("state_files.saved_to_path", "save(state, {})", kind, named)
                  for kind in ("str", "Path"))  # fmt: skip
    written = "a zip archive with one array per name"
    yield Check(SAVE, "values", (plain, mixed), f"{written} … {TO_FILE}", weight=2,
                says="save writes every array so that NumPy reads it back.")  # fmt: skip
    yield Check(SAVE, "names", (plain, mixed), written, part="names", compare="text",
                says="save writes every array under its name.")  # fmt: skip
    yield Check(
        SAVE, "dtype", (mixed,), "Every array is written with its dtype and shape",
        compare="dtype", says="save keeps dtypes and shapes.", weight=0.5,
    )  # fmt: skip
    taken = [state_of(rng, *names) for names in (("weight", "allow_pickle"), ("args", "file"))]
    yield Check(
        SAVE, "any-name", tuple(map(probe, taken)), f"{written}, whatever the names are",
        part="names", compare="text", weight=0.5, aside=True,  # others' mistakes may use `np.savez`
        says="save has no names of its own: an array may be called file or allow_pickle.",
    )  # fmt: skip
    yield Check(
        SAVE, "path", paths, "a path, which is used exactly as given", compare="text",
        says="save writes into the file that a path names, and leaves no other.",
    )  # fmt: skip
    yield Check(
        SAVE, "refuses", (bad,), compare="text",
        taught="the dtype of an array is `object` … The message holds the names of all such arrays",
        says="save raises ValueError, and names every array that only pickle could write.",
    )  # fmt: skip
    yield Check(
        SAVE, "silent", (bad,), "NumPy would pickle it … nothing is written or pickled",
        part="silent",
        says="Where save refuses, nothing is pickled and nothing is written.",
    )  # fmt: skip


def _load(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, LOAD)
    probe = partial(file_probe, "state_files.read_in", "load(file), then file.close()")
    plain, mixed = probe(state_of(rng, "weight")), probe(state_of(rng, *NAMES))
    yield Check(LOAD, "values", (plain, mixed), weight=2,
                taught="as `save` wrote it … a plain dict of names and arrays")  # fmt: skip
    yield Check(LOAD, "names", (mixed,), "a plain dict of names and arrays", part="names",
                compare="text", says="load gives every array under its name.")  # fmt: skip
    yield Check(LOAD, "dtype", (mixed,), "a plain dict of names and arrays", compare="dtype",
                says="load keeps dtypes and shapes.", weight=0.5)  # fmt: skip
    named = state_of(rng, "weight", "bias")
    paths = tuple(path_probe("state_files.read_from_path", "load({})", kind, named)
                  for kind in ("str", "Path"))  # fmt: skip
    yield Check(LOAD, "path", paths,
                "a path, or a binary file that is open for reading … All of them are in memory: "
                "the file may be closed, changed or deleted afterwards",
                says="load reads a file that a path names.")  # fmt: skip
    mark = str(start_for(seed, "chapter8.load/trap"))  # what the program in the pickle would set
    traps = tuple(
        Probe("state_files.trapped", (where, mark), f"load({what})")
        for where, what in (("array", "an .npz file with a pickled array"),
                            ("file", "a file that is a pickle"))
    )  # fmt: skip
    yield Check(
        LOAD, "runs-nothing", traps, "Nothing is unpickled", part="run", weight=2,
        says="load never runs a program that is hidden in a pickle.",
    )  # fmt: skip
    yield Check(
        LOAD, "refuses", traps, "an array in the file is pickled, or the file itself is a pickle",
        compare="text", says="load raises ValueError where something is pickled.",
    )  # fmt: skip


# ---- chance ---------------------------------------------------------------------------------


def chance_probe(number: int, before: int) -> Probe:
    def numpy() -> Parts:
        chance = np.random.RandomState(number)
        chance.normal(size=before)
        drawn = [
            chance.normal(size=3), chance.random_sample(4), chance.permutation(9),
            chance.normal(size=2), chance.randint(0, 1000, size=3),
        ]  # fmt: skip
        return {"first": drawn, "value": drawn, "twice": drawn}

    call = f"random_state() after {before} normal draws, then set_random_state(state)"
    return Probe("state_files.chance", (number, before), call, oracles={"numpy": numpy})


def _chance(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, CHANCE)
    even, odd = (chance_probe(rng.randrange(10_000), before) for before in (4, 5))
    yield Check(
        CHANCE, "again", (even,), weight=2,
        taught="Later draws do not change the state … the same draws come again … every function "
        "of `np.random`: uniform, normal, shuffled",
    )  # fmt: skip
    yield Check(
        CHANCE, "odd", (odd,), "Everything that `np.random.get_state()` returns",
        says="The same draws come again after an odd number of normal draws, too.",
    )  # fmt: skip
    yield Check(
        CHANCE, "first", (even, odd), "The state of NumPy's random numbers", part="first",
        says="To look at the state draws nothing and changes nothing.", weight=0.5,
    )  # fmt: skip
    yield Check(
        CHANCE, "twice", (even,), "The state stays as it was, so you can set it more than once",
        part="twice",
        says="A state can be set more than once.", weight=0.5,
    )  # fmt: skip


# ---- safetensors ------------------------------------------------------------------------------

CODES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "int64": "I64", "int32": "I32",
    "uint8": "U8", "bool": "BOOL",
}  # fmt: skip


def safetensors(state: Values, written: Sequence[str] | None = None, notes: bool = False) -> bytes:
    """A file as the format says; ``written`` is the order of the values, if not the header's."""
    places, values = {}, b""
    for name in written or list(state):
        raw = state[name].astype(state[name].dtype.newbyteorder("<")).tobytes()
        places[name] = [len(values), len(values) + len(raw)]
        values += raw
    header = {"__metadata__": {"made by": "nobody"}} if notes else {}
    header |= {
        name: {"dtype": CODES[str(a.dtype)], "shape": list(a.shape), "data_offsets": places[name]}
        for name, a in state.items()
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + values


def as_array(data: bytes) -> np.ndarray:
    """Bytes as an argument of a program."""
    return np.frombuffer(data, dtype=np.uint8)


def safe_probe(what: str, state: Values, data: bytes, spaces: int = 0) -> Probe:
    def parts(state: Values) -> Parts:
        kinds = [f"{name} {state[name].dtype}" for name in sorted(state)]
        sent = [a.astype("float32") if a.dtype == "float16" else a for a in specs.in_order(state)]
        return {"value": sent, "names": [names_of(state)],
                "dtypes": [text(", ".join(kinds))]}  # fmt: skip

    def by_torch(torch) -> Parts:
        (length,) = struct.unpack("<Q", data[:8])
        header, found = json.loads(data[8 : 8 + length]), {}
        for name in state:
            entry, kind = header[name], getattr(torch, str(state[name].dtype))
            begin, end = (8 + length + at for at in entry["data_offsets"])
            flat = torch.frombuffer(bytearray(data[begin:end]), dtype=kind)
            found[name] = flat.reshape(entry["shape"]).numpy()
        return parts(found)

    return Probe(
        "state_files.parsed", (as_array(data), spaces), f"parse_safetensors({what})",
        oracles={"numpy": lambda: parts(state)}, twin=by_torch,
    )  # fmt: skip


def typed(rng: Random, **kinds: tuple[str, tuple[int, ...]]) -> Values:
    return {
        name: np.asarray(np.abs(REAL.draw(rng, shape)) * 8, dtype=dtype)
        for name, (dtype, shape) in kinds.items()
    }


def _safetensors(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, SAFE)
    one = typed(rng, weight=("float32", (2, 3)))
    two = typed(rng, weight=("float32", (3, 2)), bias=("float32", (2,)))
    mixed = typed(rng, a=("float64", (2,)), b=("float16", (3,)), c=("int64", ()), d=("uint8", (5,)))
    mixed["e"] = np.array([True, False, rng.random() < 0.5])
    plain = safe_probe("one array", one, safetensors(one))
    both = safe_probe("two arrays", two, safetensors(two))
    turned = safe_probe(
        "two arrays, the values in another order", two, safetensors(two, ("bias", "weight"))
    )
    private = {**two, "_scale": typed(rng, _scale=("float32", ()))["_scale"]}
    noted = safe_probe("a file with notes", private, safetensors(private, notes=True))
    types = safe_probe("five types", mixed, safetensors(mixed))
    offsets = "`data_offsets` say where the bytes of an array begin and where they end"
    rows = (
        ("one", (plain,), 2, FORMAT,
         "parse_safetensors reads a file with one array."),
        ("two", (both,), 1, offsets, "parse_safetensors reads several arrays."),
        ("order", (turned,), 1, "The header's entries may come in any order",
         "parse_safetensors goes by the offsets, not by the order of the header."),
        ("types", (types,), 1, "`SAFETENSORS` has the codes of the types",
         "parse_safetensors knows the types of the format."),
    )  # fmt: skip
    for name, probes, weight, taught, says in rows:
        yield Check(SAFE, name, probes, taught, says=says, weight=weight)
    says = "parse_safetensors gives the arrays their names, and passes over the notes."
    yield Check(SAFE, "names", (both, noted), NOTES, part="names",
                compare="text", says=says)  # fmt: skip
    yield Check(
        SAFE, "dtypes", (types,), "each with the shape and dtype that the header says",
        part="dtypes", compare="text", says="parse_safetensors keeps the dtypes.", weight=0.5,
    )  # fmt: skip
    yield from _refusals(safetensors(one), safetensors(two))
    more = typed(rng, x=("float32", (2, 1, 3)), y=("int32", (4,)), z=("float64", (1, 2)))
    data = safetensors(more, ("z", "x", "y"), notes=True)
    long = safe_probe("three arrays and a long header", more, data, 70_000)
    yield Check(SAFE, "more", (long,), offsets, hidden=True,
                says="parse_safetensors reads larger files too.")  # fmt: skip


def _refusals(file: bytes, two: bytes) -> Iterator[Check]:
    """Files that are cut short, or whose offsets do not fit, and a type that nobody knows."""
    alien = file.replace(b'"F32"', b'"F8x"')
    short = Probe("state_files.not_parsed", (as_array(file[:-4]),), "the last value missing")
    # The values of the second array, a (2,), begin at 24. Bytes enough are there, or too many.
    few = Probe("state_files.not_parsed", (as_array(two.replace(b"[0, 24]", b"[0, 20]")),),
                "offsets with room for 5 of 6 values")  # fmt: skip
    many = Probe("state_files.not_parsed", (as_array(two.replace(b"[0, 24]", b"[0, 28]")),),
                 "offsets with room for 7 values, where the shape needs 6")  # fmt: skip
    strange = Probe("state_files.not_parsed", (as_array(alien),), "a type called F8x")
    yield Check(
        SAFE, "refuses", (strange, short, few, many),
        "a type that `SAFETENSORS` does not know, or the bytes between the offsets are not as many "
        "as the shape needs", compare="text", weight=0.5,
        says="parse_safetensors raises ValueError for an unknown type or offsets that do not fit.",
    )  # fmt: skip
