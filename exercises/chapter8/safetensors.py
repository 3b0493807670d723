"""The header of a safetensors file: `parse_safetensors`."""

from grader.course import Exercise, Mistake

from .module import but

PARSED = """
(length,) = struct.unpack("<Q", data[:8])
header = json.loads(data[8 : 8 + length])
header.pop("__metadata__", None)
values = data[8 + length :]
state = {}
for name, entry in header.items():
    if entry["dtype"] not in SAFETENSORS:
        raise ValueError(entry["dtype"])
    begin, end = entry["data_offsets"]
    flat = np.frombuffer(values[begin:end], dtype=SAFETENSORS[entry["dtype"]])
    state[name] = flat.reshape(entry["shape"])
return state
"""

PARSE = Exercise(
    "chapter8.parse_safetensors",
    section="8.8",
    targets=("checkpoint.parse_safetensors",),
    points=3,
    minutes=20,
    difficulty=3,
    hints=(
        "Three slices: `data[:8]`, then as many bytes as that number says, then the rest. "
        "`struct.unpack` makes a number of eight bytes; look up its letters for little-endian "
        "and for 64 bits, unsigned.",
        "`json.loads` takes bytes and gives a dict. Take `__metadata__` out of it; each other "
        "entry is an array.",
        "For each array: cut `values[begin:end]`, make an array of it with `np.frombuffer` and "
        "the type that `SAFETENSORS` has for its code, and give it its shape.",
    ),
    mistakes=(
        Mistake(
            "big-endian", but(PARSED, ('"<Q"', '">Q"')),
            "You read the length with the most significant byte first. In this format the least "
            "significant byte comes first.",
        ),
        Mistake(
            "offsets-from-the-start",
            but(PARSED, ("values[begin:end]", "data[begin:end]")),
            "You counted the offsets from the beginning of the file. They are counted from the "
            "first byte after the header.",
        ),
        Mistake(
            "forgot-the-eight", but(PARSED, ("data[8 + length :]", "data[length:]")),
            "Your values begin eight bytes too early, inside the header: the eight bytes of the "
            "length come before it.",
        ),
        Mistake(
            "one-after-another",
            but(PARSED, ('    begin, end = entry["data_offsets"]\n',
                         '    begin, end = entry["data_offsets"]\n'
                         "    begin, end = at, at + end - begin\n    at = end\n"),
                ("state = {}\n", "state = {}\nat = 0\n")),
            "You cut the values one after another, in the order of the header. They may lie in "
            "another order: go by the offsets.",
        ),
        Mistake(
            "float32-only",
            but(PARSED, ('SAFETENSORS[entry["dtype"]])', '"<f4")'),
                ('flat.reshape(entry["shape"])',
                 'np.resize(flat, entry["shape"]) if entry["dtype"] != "F32" else '
                 'flat.reshape(entry["shape"])')),
            "You read everything as float32. The header says which type each array has.",
        ),
        Mistake(
            "flat", but(PARSED, ('flat.reshape(entry["shape"])', "flat")),
            "Your arrays are flat. Give each the shape that the header says.",
        ),
        Mistake(
            "notes-as-an-array",
            but(PARSED, ('header.pop("__metadata__", None)\n', "")),
            "You took `__metadata__` for an array. It holds notes about the file; leave it out.",
        ),
        Mistake(
            "columns-first",
            but(PARSED, ('entry["shape"])\n', 'entry["shape"], order="F")\n')),
            "You let the first axis run fastest. In the file the last axis runs fastest, as in "
            "NumPy.",
        ),
        Mistake(
            "key-error",
            but(PARSED, ('    if entry["dtype"] not in SAFETENSORS:\n'
                         '        raise ValueError(entry["dtype"])\n', "")),
            "An unknown type ends in a KeyError. Say with a ValueError which type it was that "
            "you cannot read.",
        ),
    ),
)  # fmt: skip
