"""Programs for chapter 8: states on their way to files and back, and the state of chance."""

import io
import sys
from pathlib import Path

import numpy as np

from .folders import ROOT, Folder
from .harness import Complaint, array_in, mapping, names_of, text, told, unlike

MEANS = {
    "saved": {"names": {"value": "names"}},
    "read_in": {"names": {"value": "names"}},
    "parsed": {"names": {"value": "names"}},
    "chance": {
        "names": {
            "value": [
                "the array of three normal draws",
                "the array of four uniform draws",
                "the permutation",
                "the array of two normal draws after it",
                "the array of three whole numbers",
            ],
        },
    },
}


def saved(bg, state):
    """save writes every array, with its name, into an .npz file."""
    file = io.BytesIO()
    bg.checkpoint.save(state, file)
    if file.closed:
        raise Complaint("save closed the file that it was handed; `opened` leaves it open.")
    found = read_back(file.getvalue())
    return {"value": [found[name] for name in sorted(found)], "names": [names_of(found)]}


def saved_to_path(bg, state, kind):
    """save takes a path for what it is."""
    older = b"an older file"
    for _ in range(2):
        with Folder(weights=older) as folder:
            bg.checkpoint.save(state, path_to("weights", kind))
    if folder.files.get("weights") == older:
        raise Complaint("save wrote nothing into the file that the path names.")
    return [text("; ".join(
        f"{name}: {', '.join(sorted(read_back(data)))}"
        for name, data in sorted(folder.files.items())
    ))]  # fmt: skip


def path_to(name, kind):
    return Path(ROOT + name) if kind == "Path" else ROOT + name


def read_back(data):
    """Read an .npz file without pickle."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except Exception as error:
        raise Complaint(
            f"What save wrote cannot be read as an .npz file without pickle: {error}"
        ) from None


def saved_objects(bg, state, names):
    """save raises ValueError where only pickle could write an array."""
    pickled = []

    class Loud:
        def __reduce__(self):
            pickled.append(True)
            return (list, ())

    for name in names:
        state[name] = np.array([Loud(), None], dtype=object)
    file = io.BytesIO()
    said = told(lambda: bg.checkpoint.save(state, file), state)
    written = not file.closed and len(file.getvalue()) > 0
    return {"value": [text(said)], "silent": [np.array([bool(pickled), written])]}


def read_in(bg, state):
    """load gives a plain dict with every array in the file."""
    data = io.BytesIO()
    np.savez(data, **state)
    file = io.BytesIO(data.getvalue())
    found = bg.checkpoint.load(file)
    if file.closed:
        raise Complaint("load closed the file that it was handed; `opened` leaves it open.")
    file.close()
    if not isinstance(found, dict):
        raise unlike(found, "load returned", "a plain dict was expected")
    arrays = [array_in(found, name, "load") for name in sorted(found)]
    return {"value": arrays, "names": [names_of(found)]}


def read_from_path(bg, state, kind):
    """load takes a path as well."""
    data = io.BytesIO()
    np.savez(data, **state)
    with Folder(weights=data.getvalue()) as folder:
        found = mapping(bg.checkpoint.load(path_to("weights", kind)), "load")
        folder.files.clear()
    return {"value": [array_in(found, name, "load") for name in sorted(found)]}


class Trap:
    """An object that runs a program when it is unpickled: here it only leaves a note."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (exec, (f"import sys; sys.pickle_was_run = {self.mark!r}",))


def trapped(bg, where, mark):
    """load raises ValueError instead of unpickling."""
    file = io.BytesIO()
    trap = np.array([Trap(mark)], dtype=object)
    if where == "array":
        np.savez(file, weight=np.array([1.0, 2.0]), bias=trap)
    else:
        trap.dump(file)
    sys.pickle_was_run = False
    said = told(lambda: bg.checkpoint.load(io.BytesIO(file.getvalue())), ())
    # Which one it is depends on the Python: `with` complains of an array in two ways.
    said = said if said in ("ValueError", "nothing was raised") else "another exception"
    return {"value": [text(said)], "run": [np.array([sys.pickle_was_run == mark])]}


def parsed(bg, data, spaces=0):
    """parse_safetensors reads every array out of the file.

    ``spaces``: how many stand at the end of the header, besides those that are there.
    """
    data = data.tobytes()
    end = 8 + int.from_bytes(data[:8], "little")
    longer = (end - 8 + spaces).to_bytes(8, "little") + data[8:end] + b" " * spaces + data[end:]
    state = mapping(bg.checkpoint.parse_safetensors(longer), "parse_safetensors")
    arrays = [array_in(state, name, "parse_safetensors") for name in sorted(state)]
    kinds = [f"{name} {array.dtype}" for name, array in zip(sorted(state), arrays, strict=True)]
    # Half precision does not travel; its name does, in `dtypes`.
    sent = [array.astype("float32") if array.dtype == "float16" else array for array in arrays]
    return {
        "value": [np.array(array) for array in sent],
        "names": [names_of(state)],
        "dtypes": [text(", ".join(kinds))],
    }


def not_parsed(bg, data):
    """parse_safetensors raises ValueError for what it cannot read."""
    return [text(told(lambda: bg.checkpoint.parse_safetensors(data.tobytes()), ()))]


# ---- chance -----------------------------------------------------------------------------


def chance(bg, seed, before):
    """set_random_state brings back the draws that came after random_state."""
    np.random.seed(seed)
    np.random.normal(size=before)
    state = mapping(bg.checkpoint.random_state(), "random_state")
    for name in state:
        array = array_in(state, name, "random_state")
        if array.dtype.hasobject:
            raise Complaint(f"random_state gave {name!r} as an array of objects, not of numbers.")
    first = draws()
    np.random.random(700)  # so many that all the keys are others
    bg.checkpoint.random_state()
    again = []
    for _ in range(2):
        bg.checkpoint.set_random_state(state)
        again.append(draws())
    return {"first": first, "value": again[0], "twice": again[1]}


def draws():
    """Some of everything; an odd number of normal draws, because these are made in pairs."""
    return [
        np.random.normal(size=3), np.random.random(4), np.random.permutation(9),
        np.random.normal(size=2), np.random.randint(0, 1000, size=3),
    ]  # fmt: skip
