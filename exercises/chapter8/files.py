"""To a file and back: `save` and `load`."""

from grader.course import Exercise, Mistake

CHECKED = """
objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
if objects:
    raise ValueError(", ".join(objects))
"""
WRITTEN = 'with opened(file, "wb") as target:\n    np.savez(target, **state)\n'

SAVE = Exercise(
    "chapter8.save",
    section="8.5",
    targets=("checkpoint.save",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "`np.savez(file, weight=…, bias=…)` takes names and arrays. How do you hand a whole dict "
        "on as named arguments?",
        "`array.dtype.hasobject` says whether NumPy would have to pickle. Look at all of them "
        "before you open anything.",
    ),
    mistakes=(
        Mistake(
            "pickles-objects", WRITTEN,
            "Arrays of objects go into the file. NumPy pickles them, and whoever reads the file "
            "has to run what is in it: raise a ValueError that names them.",
        ),
        Mistake(
            "pickled",
            f"import pickle\n{CHECKED}with opened(file, 'wb') as target:\n"
            "    pickle.dump(dict(state), target)",
            "You wrote a pickle. A pickle is a program that runs when it is read; write an `.npz` "
            "file, which only holds arrays.",
        ),
        Mistake(
            "names-lost",
            f"{CHECKED}with opened(file, 'wb') as target:\n    np.savez(target, *state.values())",
            "Your arrays have no names: NumPy calls them arr_0, arr_1 and so on. Hand them over "
            "as named arguments, `**state`.",
        ),
        Mistake(
            "one-array",
            f"{CHECKED}with opened(file, 'wb') as target:\n"
            "    np.savez(target, state=np.array(state, dtype=object))",
            "The whole dict became one array of objects, and NumPy pickled it. Every array gets "
            "a place and a name of its own.",
        ),
        Mistake(
            "first-only",
            "for name, array in state.items():\n    if np.asarray(array).dtype.hasobject:\n"
            f"        raise ValueError(name)\n{WRITTEN}",
            "You name the first array that cannot be written. Name all of them.",
        ),
        Mistake(
            "all-float64",
            f"{CHECKED}with opened(file, 'wb') as target:\n"
            "    np.savez(target, **{n: np.asarray(a, dtype='float64') for n, a in state.items()})",
            "Everything is written as float64. Each array has its own dtype, which is to come "
            "back: counters are whole numbers, and float32 needs half the room.",
        ),
        Mistake(
            "closed", CHECKED + "np.savez(file, **state)\nfile.close()",
            "You closed a file that somebody else had opened. They may want to go on with it; "
            "`opened` closes only what it opened itself.",
        ),
        Mistake(
            "looks-too-late", WRITTEN + CHECKED,
            "You write first and look afterwards. By then NumPy has pickled the objects, and a "
            "file is there that nobody should read.",
        ),
    ),
)  # fmt: skip

LOAD = Exercise(
    "chapter8.load",
    section="8.5",
    targets=("checkpoint.load",),
    points=3,
    minutes=10,
    difficulty=2,
    hints=(
        "`np.load` of an `.npz` file gives an archive: `archive.files` are its names, and "
        "`archive[name]` reads one array, from the open file.",
        "Look up the default of `allow_pickle`, and write it down all the same: this is the line "
        "that keeps a stranger's program from running. Build the dict before the `with` ends.",
    ),
    mistakes=(
        Mistake(
            "unpickles",
            'with opened(file, "rb") as source, np.load(source, allow_pickle=True) as archive:\n'
            "    return {name: archive[name] for name in archive.files}",
            "You allow NumPy to unpickle. Whoever made the file chose what runs on your machine "
            "when you load it; leave `allow_pickle` at False.",
        ),
        Mistake(
            "pickle-load",
            "import pickle\nwith opened(file, 'rb') as source:\n    data = source.read()\n"
            "import io\ntry:\n    archive = np.load(io.BytesIO(data), allow_pickle=False)\n"
            "    return {name: archive[name] for name in archive.files}\n"
            "except ValueError:\n    return pickle.loads(data)",
            "Where NumPy refuses, you unpickle the file yourself. It refused because reading would "
            "run a program; let the ValueError through.",
        ),
        Mistake(
            "lazy",
            'with opened(file, "rb") as source:\n    return np.load(source, allow_pickle=False)',
            "You gave NumPy's archive, which reads from the file only when it is asked. By then "
            "the file is closed. Read every array while it is open, into a dict.",
        ),
        Mistake(
            "skips-what-is-pickled",
            'state = {}\nwith opened(file, "rb") as source, np.load(source) as archive:\n'
            "    for name in archive.files:\n        try:\n"
            "            state[name] = archive[name]\n        except ValueError:\n"
            "            pass\nreturn state",
            "You pass over the arrays that are pickled. A state with holes looks like a whole one: "
            "let the ValueError through.",
        ),
        Mistake(
            "lists",
            'with opened(file, "rb") as source, np.load(source) as archive:\n'
            "    return {name: np.array(archive[name].tolist()) for name in archive.files}",
            "The arrays went through Python's own numbers and lost their dtype: float32 came back "
            "as float64.",
        ),
        Mistake(
            "one-array",
            'with opened(file, "rb") as source, np.load(source) as archive:\n'
            "    return {name: archive[archive.files[0]] for name in archive.files}",
            "Every name got the first array of the file.",
        ),
    ),
)  # fmt: skip
