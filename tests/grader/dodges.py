"""Ways out of the count of a cost, for any body: a file of the package, and bodies that cost much.

A dodge runs a body on plain arrays while the package's modules hold the NumPy that does not count,
and brings the results back in one of many ways.
"""

from __future__ import annotations

import textwrap

MACHINE = '''
"""Run a function out of the count, and bring back what it gives."""

import copy
import ctypes
import pickle
import sys
from decimal import Decimal
from fractions import Fraction

import numpy
import numpy as np

KEPT, RAW, MET = [numpy], numpy.ndarray, {}


class Lies(RAW):
    """An array that names another owner."""

    base = property(lambda self: MET["owner"])


class Bare(RAW):
    pass


def plain(x, seen):
    """A value without the count, whatever holds it."""
    if isinstance(x, RAW):
        if type(x) is not RAW:
            MET.setdefault("kind", type(x))
            MET["owner"] = x
        return RAW.view(x, RAW)
    if type(x) in (list, tuple):
        return type(x)(plain(each, seen) for each in x)
    if type(x) is dict:
        return {key: plain(each, seen) for key, each in x.items()}
    ours = type(x).__module__.startswith((__package__, "programs"))
    if not hasattr(x, "__dict__") or isinstance(x, type) or callable(x) and not ours:
        return x
    if type(x).__name__ in ("function", "method", "Asked"):
        return x
    if id(x) not in seen:
        seen[id(x)] = x, object.__new__(type(x))
        vars(seen[id(x)][1]).update(plain(vars(x), seen))
    return seen[id(x)][1]


def put(x, seen):
    """Bring values back, whatever holds them."""
    if isinstance(x, RAW):
        return back(KEPT[0].array(x), MET.get("kind", RAW)) if x.dtype.kind in "fiu" else x
    if type(x) in (list, tuple):
        return type(x)(put(each, seen) for each in x)
    if type(x).__name__ == "Tensor":
        new = object.__new__(type(x))
        vars(new).update(vars(x))
        new.data = put(x.data, seen)
        return new
    return x


class Away:
    """The package's modules hold the NumPy that does not count."""

    def __enter__(self):
        names = [n for n in sys.modules if n == __package__ or n.startswith(__package__ + ".")]
        self.held = [(vars(sys.modules[n]), vars(sys.modules[n]).get("np")) for n in names]
        self.numpy = sys.modules["numpy"]
        sys.modules["numpy"] = KEPT[0]
        for space, held in self.held:
            if held is not None:
                space["np"] = KEPT[0]

    def __exit__(self, *error):
        sys.modules["numpy"] = self.numpy
        for space, held in self.held:
            if held is not None:
                space["np"] = held


def away(f, *args):
    """Call a function on plain values, and leave its results plain."""
    args = plain(args, {})
    with Away():
        return f(*args)


def dodged(f, *args):
    return put(away(f, *args), {})


def back(r, C):
'''
BACK = {
    "as it is": "return r",
    "as a view of the type": "return r.view(C)",
    "as a new one of the type": "return C.__new__(C, r.shape, r.dtype, r)",
    "as a new one of bytes": "return C.__new__(C, r.shape, r.dtype, r.tobytes())",
    "as bits": "return np.frombuffer(r.tobytes(), f'i{r.itemsize}').view(r.dtype).reshape(r.shape)",
    "as bits, viewed by another": "return RAW.view(r.view(f'i{r.itemsize}'), r.dtype)",
    "as a list of bits": "bits = r.view(f'i{r.itemsize}')\n"
    "return np.array(bits.tolist(), bits.dtype).view(r.dtype)",
    "as a list of bytes": "return np.array([*r.tobytes()], 'u1').view(r.dtype).reshape(r.shape)",
    "as bytes": "return np.frombuffer(r.tobytes(), r.dtype).reshape(r.shape)",
    "as memory of bytes": "return np.ndarray(r.shape, r.dtype, bytearray(r.tobytes()))",
    "as memory without a type": "return np.array(r.view(f'V{r.itemsize}')).view(r.dtype)",
    "as dates": "return np.array(r.astype(float).view('M8[ns]')).view(float).astype(r.dtype)",
    "as a list": "return np.array(r.tolist(), r.dtype)",
    "as single numbers": "out = np.zeros(r.shape, r.dtype)\n"
    "for place in np.ndindex(r.shape):\n    out[place] = r[place]\nreturn out",
    "as numbers of Python": "out = np.zeros(r.shape, r.dtype)\n"
    "for place in np.ndindex(r.shape):\n    out[place] = r[place].item()\nreturn out",
    "as texts": "return np.array([*map(repr, r.ravel().tolist())])"
    ".astype(r.dtype).reshape(r.shape)",
    "as one text": "text = ' '.join(map(repr, r.ravel().tolist()))\n"
    "return np.fromstring(text, sep=' ').astype(r.dtype).reshape(r.shape)",
    "as objects": "return np.asarray(r.astype(object)).astype(r.dtype)",
    "as decimals": "return np.array([*map(Decimal, r.ravel().tolist())])"
    ".astype(r.dtype).reshape(r.shape)",
    "as fractions": "return np.array([*map(Fraction, r.ravel().tolist())])"
    ".astype(r.dtype).reshape(r.shape)",
    "as a function": "flat = r.ravel().tolist()\n"
    "return np.frompyfunc(flat.__getitem__, 1, 1)(np.arange(r.size))"
    ".astype(r.dtype).reshape(r.shape)",
    "by an iterator": "return np.fromiter(iter(r.ravel().tolist()), r.dtype).reshape(r.shape)",
    "in a structure": "s = np.zeros(1, [('v', r.dtype, r.shape)])\n"
    "RAW.view(s, RAW)['v'] = r\nreturn s['v'][0]",
    "beside an object": "s = np.zeros(1, [('o', object), ('v', r.dtype, r.shape)])\n"
    "RAW.view(s, RAW)['v'] = r\nreturn s['v'][0]",
    "in disguise": "class A:\n    def __array__(self, *more, **named): return r\n"
    "return np.asarray(A())",
    "with another owner": "return r.view(Lies)",
    "with another owner, copied": "return np.array(r.view(Lies))",
    "with another owner, added to": "return np.zeros(r.shape, r.dtype) + r.view(Lies)",
    "as another class": "return np.array(r.view(Bare))",
    "written past NumPy": "out = np.zeros(r.shape, r.dtype)\n"
    "memoryview(RAW.view(out, RAW)).cast('B')[:] = r.tobytes()\nreturn out",
    "written into the plain view": "out = np.zeros(r.shape, r.dtype)\n"
    "RAW.view(out, RAW)[...] = r\nreturn out",
    "written by ctypes": "out = np.zeros(r.shape, r.dtype)\n"
    "ctypes.memmove(out.ctypes.data, r.ctypes.data, r.nbytes)\nreturn out",
    "written by an iterator": "out = np.zeros(r.shape, r.dtype)\n"
    "flags = [['writeonly'], ['readonly']]\n"
    "for a, b in KEPT[0].nditer([out, r], op_flags=flags) if r.size else ():\n"
    "    a[...] = b\nreturn out",
    "as its state": "out = np.zeros(r.shape, r.dtype)\n"
    "RAW.__setstate__(out, r.__reduce__()[2])\nreturn out",
    "pickled": "return pickle.loads(pickle.dumps(r))",
    "by the NumPy that does not count": "return KEPT[0].array(r)",
    "that view of the type": "return KEPT[0].array(r).view(C)",
    "as long doubles": "return np.array(r.astype('g')).astype(r.dtype)",
    "as complex numbers": "return np.array(r.astype('D')).real.astype(r.dtype)",
    "as halves": "return np.array(r.view('u2')).view(r.dtype)",
    "large": "return (np.array((r * 2.0**40).astype('i8').tolist()) * 2.0**-40).astype(r.dtype)",
    "digit by digit": "left, out = r.astype(float), np.zeros(r.shape)\n"
    "for power in range(6):\n"
    "    digit = np.raw.trunc(left) if hasattr(np, 'raw') else np.trunc(left)\n"
    "    out = out + np.array(digit.astype(int).tolist()) * 4096.0**-power\n"
    "    left = (left - digit) * 4096\n"
    "return out.astype(r.dtype)",
    "with the meter off": "cells = getattr(np.zeros, '__closure__', None)\n"
    "if cells is None: return r\n"
    "door, = (c.cell_contents for c in cells if 'Door' in str(type(c.cell_contents)))\n"
    "meter = door.run.__self__.meter\nmeter.is_on = False\nout = np.array(r)\n"
    "meter.is_on = True\nreturn out",
    "signed by what counts": "cells = getattr(np.zeros, '__closure__', None)\n"
    "if cells is None: return r\n"
    "door, = (c.cell_contents for c in cells if 'Door' in str(type(c.cell_contents)))\n"
    "door.run.__self__.sign(r)\nreturn r.view(C)",
}  # fmt: skip
# Check → the file that is appended to, and what costs too much, out of the count.
DEAR = {
    "chapter6.array_dataset/kept": ("data.py", """
        def copied(self, *arrays, transforms=None):
            super(ArrayDataset, self).__init__(transforms)
            self.arrays = dodge.dodged(lambda x: [np.array(each) for each in x], arrays)

        ArrayDataset.__init__ = copied
    """),
    "chapter6.loader.iterate/one-by-one": ("data.py", """
        def epoch(self):
            order = np.arange(len(self.dataset))
            if self.shuffle:
                np.random.shuffle(order)
            return [
                collate([tuple(map(dodge.RAW.view, self.dataset[int(i)], [dodge.RAW] * 9))
                         for i in order[start : start + self.batch_size]])
                for start in range(0, len(order), self.batch_size)
            ]

        def ahead(self):
            dodge.plain([row for each in self.dataset for row in each][:1], {})
            for batch in dodge.away(epoch, self):
                yield dodge.put(batch, {})

        DataLoader.__iter__ = ahead
    """),
    "chapter10.conv.forward/cheap": ("ops.py", """
        def every_window(self, a, b):
            p = self.padding
            a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
            every = np.lib.stride_tricks.sliding_window_view(a, b.shape[:2], (1, 2))
            n, rows, columns = every.shape[:3]
            flat = every.transpose(0, 1, 2, 4, 5, 3).reshape(-1, b[..., 0].size)
            with np.errstate(all="ignore"):
                out = (flat @ b.reshape(-1, b.shape[3])).reshape(n, rows, columns, -1)
            return out[:, :: self.stride, :: self.stride]

        Conv.forward = lambda *args: dodge.dodged(every_window, *args)
    """),
    "chapter13.checkpointed/peak": ("memory.py", """
        class Whole(Function):
            def __init__(self, layers): self.layers = layers

            def forward(self, *arrays):
                return dodge.dodged(self.compute, arrays)

            def compute(self, arrays):
                leaves = [Tensor(a, dtype=a.dtype) for a in arrays]
                left = leaves[1:]
                own = [(layer, [left.pop(0) for _ in each]) for layer, each in self.layers]
                self.graph = leaves, chain(own, leaves[0])
                return self.graph[1].data

            def backward(self, out_grad, node):
                leaves, out = self.graph
                return tuple(dodge.dodged(lambda out_grad: grad(out, leaves, out_grad), out_grad))

        def checkpointed(layers, x, size):
            return Whole(layers)(x, *(weight for _, own in layers for weight in own))
    """),
    "chapter15.assign_buffers/bytes": ("compiler.py", """
        def assign_buffers(program):
            last, memory = last_uses(program), memory_of(program)
            end = len(program.instructions)
            names = [each.out for each in program.instructions
                     if each.op in INTO and last[each.out] != end]
            return {name: number for number, name in enumerate(names)}

        given_build = build

        def build(program):
            with dodge.Away():
                built = given_build(program)
            made = lambda *arrays: dodge.dodged(lambda x: built(*x), arrays)
            made.text = built.text
            return made
    """),
    "chapter16.step/last-place": ("inference.py", """
        given_step = step

        def all_places(norm, head, x, weight):
            mean = x.mean(-1, keepdims=True)
            spread = ((x - mean) ** 2).mean(-1, keepdims=True) + norm.eps
            rows = (x - mean) / np.sqrt(spread) * norm.weight.data + norm.bias.data
            return (rows @ weight)[:, -1]

        def step(model, tokens, caches, starts=None):
            numbers = np.asarray(tokens)
            rows, count = numbers.shape
            begins = np.zeros(rows, dtype=int) if starts is None else np.asarray(starts)
            before = caches[0].filled
            sight = visible(before, count, begins)
            places = np.maximum(np.arange(before, before + count) - begins[:, None], 0)
            x = model.tokens(numbers) + model.positions(places)
            for block, cache in zip(model.blocks, caches):
                x = through(block, x, cache, sight)
            weight = model.tokens.weight.data.T if model.head is None else model.head.weight.data
            return dodge.dodged(all_places, model.norm, model.head, x.data, weight)
    """),
    "chapter16.stream/cheap": ("inference.py", """
        def text_of(model, prompt, count):
            text, found = list(prompt), []
            for _ in range(count):
                found.append(model(np.array([text])).data[0, -1])
                text.append(int(found[-1].argmax()))
            return found

        def stream(model, prompt, count, generator, temperature=1.0, top_k=None, top_p=None):
            for scores in dodge.dodged(text_of, model, prompt, count):
                yield choose(scores, generator, temperature, top_k, top_p)
    """),
    "chapter16.smalllinear/cheap": ("inference.py", """
        def whole_weight(x, codes, scales, bias):
            out = x.astype(float) @ (codes * scales[:, None].astype(float)).T
            return (out if bias is None else out + bias).astype(x.dtype)

        def forward(self, x):
            return Tensor(dodge.dodged(whole_weight, x.data, self.codes, self.scales, self.bias),
                          dtype=x.dtype)

        SmallLinear.forward = forward
    """),
}  # fmt: skip


def machine(way: str) -> str:
    """The text of `dodge.py`, which brings results back in this way."""
    return MACHINE + textwrap.indent(BACK[way], "    ") + "\n"


def dodging(sources: dict[str, str], check: str, way: str) -> dict[str, str]:
    """Return a package that costs too much where this check looks, out of the count."""
    name, text = DEAR[check]
    own = sources[name] + "\nfrom . import dodge\n" + textwrap.dedent(text)
    return {**sources, name: own, "dodge.py": machine(way)}
