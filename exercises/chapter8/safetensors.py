"""The header of a safetensors file: `parse_safetensors`."""

from grader.course import edit, exercise, instead


@exercise("checkpoint.parse_safetensors", points=3)
class PARSE:
    """Three slices: `data[:8]`, then as many bytes as that number says, then the rest.
    `struct.unpack` turns eight bytes into a number; look up its letters for little-endian and for
    64 bits, unsigned.

    `json.loads` takes bytes and gives a dict. Take `__metadata__` out of it; each other entry is an
    array.

    For each array: cut `values[begin:end]`, make an array of it with `np.frombuffer` and the type
    that `SAFETENSORS` has for its code, and give it its shape.
    """

    @instead(
        "if len(data) < 8 + length:",
        "header = json.loads(data[8 : 8 + length])",
        edits=(
            ("little", "big"),
            (
                "f\"{name} is of the type {entry['dtype']}, which is not known here\"",
                'entry["dtype"]',
            ),
        ),
        has=("'big'", "'[>!]"),
    )
    def big_endian(data, length):
        """You read the length with the most significant byte first. In this format the least
        significant byte comes first."""
        header = json.loads(data[8 : 8 + length])

    offsets_from_the_start = edit(
        ("f\"{name} is of the type {entry['dtype']}, which is not known here\"", 'entry["dtype"]'),
        ("(values", "(data"),
    )
    """You counted the offsets from the beginning of the file. They are counted from the first byte
    after the header."""

    forgot_the_eight = edit(
        ("8 + length ", "length"),
        ("f\"{name} is of the type {entry['dtype']}, which is not known here\"", 'entry["dtype"]'),
    )
    """Your values begin eight bytes too early, inside the header: the eight bytes of the length
    come before it."""

    @instead(
        "for name, entry in header.items():",
        'begin, end = entry["data_offsets"]',
        edits=(
            (
                "f\"{name} is of the type {entry['dtype']}, which is not known here\"",
                'entry["dtype"]',
            ),
        ),
    )
    def one_after_another(header):
        """You cut the values one after another, in the order of the header. They may be in another
        order: use the offsets."""
        at = 0
        for name, entry in header.items():
            if entry["dtype"] not in SAFETENSORS:
                raise ValueError(entry["dtype"])
            begin, end = entry["data_offsets"]
            begin, end = at, at + end - begin
            at = end

    float32_only = edit(
        ("f\"{name} is of the type {entry['dtype']}, which is not known here\"", 'entry["dtype"]'),
        ('SAFETENSORS[entry["dtype"]]', '"<f4"'),
        ("[name] =", '[name] = np.resize(flat, entry["shape"]) if entry["dtype"] != "F32" else'),
    )
    """You read everything as float32. The header says which type each array has."""

    flat = edit(
        ("f\"{name} is of the type {entry['dtype']}, which is not known here\"", 'entry["dtype"]'),
        ('.reshape(entry["shape"])', ""),
    )
    """Your arrays are flat. Give each one the shape from the header."""

    @instead(
        'header.pop("__metadata__", None)',
        "values = data[8 + length :]",
        edits=(
            (
                "f\"{name} is of the type {entry['dtype']}, which is not known here\"",
                'entry["dtype"]',
            ),
        ),
    )
    def notes_as_an_array(data, length):
        """You treated `__metadata__` as an array. It holds notes about the file; leave it out."""
        values = data[8 + length :]

    columns_first = edit(
        ("f\"{name} is of the type {entry['dtype']}, which is not known here\"", 'entry["dtype"]'),
        ('["shape"]', '["shape"], order="F"'),
    )
    """You let the first axis run fastest. In the file the last axis runs fastest, as in NumPy."""

    def key_error(data):
        """An unknown type ends in a KeyError. Raise a ValueError that names the type that you can't
        read."""
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8 : 8 + length])
        header.pop("__metadata__", None)
        values = data[8 + length :]
        state = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            flat = np.frombuffer(values[begin:end], dtype=SAFETENSORS[entry["dtype"]])
            state[name] = flat.reshape(entry["shape"])
        return state
