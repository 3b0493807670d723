"""To a file and back: `save` and `load`."""

from grader.course import edit, exercise, mistake


@exercise("checkpoint.save", points=2, minutes=10)
class SAVE:
    """An `.npz` file is a zip archive. `zipfile.ZipFile(target, "w")` makes one,
    `archive.open(f"{name}.npy", "w")` opens a file in it, and `np.save` writes an array into that.
    Close each before you open the next: `with`.

    `array.dtype.hasobject` says whether NumPy would have to pickle. Look at all of them before you
    open anything.
    """

    def pickles_objects(state, file):
        """Arrays of objects go into the file. NumPy pickles them, and to read the file is to run
        what is in it: raise a ValueError that names them."""
        with opened(file, "wb") as target:
            np.savez(target, **state)

    def pickled(state, file):
        """You wrote a pickle. A pickle is a program that runs when it is read; write an `.npz`
        file, which only holds arrays."""
        import pickle

        objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
        if objects:
            raise ValueError(", ".join(objects))
        with opened(file, "wb") as target:
            pickle.dump(dict(state), target)

    def names_lost(state, file):
        """Your arrays have no names: NumPy calls them arr_0, arr_1 and so on. Pass them as named
        arguments, `**state`."""
        objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
        if objects:
            raise ValueError(", ".join(objects))
        with opened(file, "wb") as target:
            np.savez(target, *state.values())

    one_array = edit("*state.values()", "state=np.array(state, dtype=object)", of=names_lost)
    """The whole dict became one array of objects, and NumPy pickled it. Every array gets its own
    place and its own name."""

    @mistake(lacks=(r"\[:-1\]",))
    def first_only(state, file):
        """You name the first array that can't be written. Name all of them."""
        for name, array in state.items():
            if np.asarray(array).dtype.hasobject:
                raise ValueError(name)
        with opened(file, "wb") as target:
            np.savez(target, **state)

    def all_float64(state, file):
        """Everything is written as float64. Each array should come back with its own dtype:
        counters are whole numbers, and float32 needs half the space."""
        objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
        if objects:
            raise ValueError(", ".join(objects))
        with opened(file, "wb") as target:
            np.savez(target, **{n: np.asarray(a, dtype="float64") for n, a in state.items()})

    def closed(state, file):
        """You closed a file that somebody else had opened. They may still need it; `opened` closes
        only what it opened itself."""
        objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
        if objects:
            raise ValueError(", ".join(objects))
        np.savez(file, **state)
        file.close()

    def names_taken(state, file):
        """`np.savez` takes two names for itself: an array called `file` is an error, and one called
        `allow_pickle` is missing from the file. Write each array into a zip archive yourself."""
        objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
        if objects:
            raise ValueError(", ".join(objects))
        with opened(file, "wb") as target:
            np.savez(target, **state)

    def suffix_added(state, file):
        """If you pass it a path, `np.savez` writes a file whose name ends in `.npz`, whatever you
        called it. Open the path with `opened`, and pass on the open file."""
        objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
        if objects:
            raise ValueError(", ".join(objects))
        np.savez(file, **state)

    def looks_too_late(state, file):
        """You write first, and check only afterwards. By then NumPy has pickled the objects, and
        there is a file that nobody should read."""
        with opened(file, "wb") as target:
            np.savez(target, **state)

        objects = [name for name, array in state.items() if np.asarray(array).dtype.hasobject]
        if objects:
            raise ValueError(", ".join(objects))


@exercise("checkpoint.load", points=3, minutes=10)
class LOAD:
    """`np.load` of an `.npz` file gives an archive: `archive.files` are its names, and
    `archive[name]` reads one array, from the open file.

    Look up the default of `allow_pickle`, and write it out anyway: this is the line that keeps a
    stranger's program from running. Build the dict before the `with` ends.
    """

    unpickles = edit("False", "True")
    """You allow NumPy to unpickle. The author of the file then decides what runs on your machine
    when you load it; leave `allow_pickle` at False."""

    def pickle_load(file):
        """When NumPy refuses, you unpickle the file yourself. It refused because reading would run
        a program; let the ValueError through."""
        import pickle

        with opened(file, "rb") as source:
            data = source.read()
        import io

        try:
            archive = np.load(io.BytesIO(data), allow_pickle=False)
            return {name: archive[name] for name in archive.files}
        except ValueError:
            return pickle.loads(data)

    def lazy(file):
        """You returned NumPy's archive, which reads from the file only when it has to. By then the
        file is closed. Read every array while it is open, into a dict."""
        with opened(file, "rb") as source:
            return np.load(source, allow_pickle=False)

    def skips_what_is_pickled(file):
        """You skip the arrays that are pickled. A state with holes looks like a whole one: let the
        ValueError through."""
        state = {}
        with opened(file, "rb") as source, np.load(source) as archive:
            for name in archive.files:
                try:
                    state[name] = archive[name]
                except ValueError:
                    pass
        return state

    def lists(file):
        """The arrays went through Python's own numbers and lost their dtype: float32 came back as
        float64."""
        with opened(file, "rb") as source, np.load(source) as archive:
            return {name: np.array(archive[name].tolist()) for name in archive.files}

    def closed(file):
        """You closed a file that somebody else had opened, and a path can't be closed. `opened`
        takes care of both."""
        archive = np.load(file)
        state = {name: archive[name] for name in archive.files}
        file.close()
        return state

    one_array = edit((", allow_pickle=False", ""), ("[name]", "[archive.files[0]]"))
    """Every name got the first array of the file."""
