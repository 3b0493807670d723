"""Checkpoints: less is kept, and computed once more."""

from grader.course import Exercise, Mistake

from .second import but

FORWARD = Exercise(
    "chapter13.checkpoint.forward",
    section="13.7",
    targets=("memory.Checkpoint.forward",),
    points=1,
    minutes=6,
    difficulty=2,
    needs=("chapter13.no_grad",),
    hints=("`self.f` takes Tensors: make a leaf of each array, of the array's dtype, and return "
           "the `data` of what comes out. All of it in a block of `no_grad`.",),
    mistakes=(
        Mistake(
            "kept-with-its-graph",
            "leaves = [Tensor(a, dtype=a.dtype) for a in arrays]\nself.out = self.f(*leaves)\n"
            "return self.out.data",
            "The values are right, but you keep the output with its whole graph in `self`: "
            "nothing is saved.",
        ),
        Mistake(
            "first-input",
            "with no_grad():\n    x = [Tensor(a, dtype=a.dtype) for a in arrays]\n"
            "    return self.f(x[0], *x[:1] * (len(x) - 1)).data",
            "`f` got the first input in the place of all the others.",
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter13.checkpoint.backward",
    section="13.7",
    targets=("memory.Checkpoint.backward",),
    points=3,
    minutes=12,
    difficulty=3,
    needs=("chapter13.grad",),
    hints=(
        "Compute `self.f` once more, with a graph, and ask `grad` for the gradients of its inputs.",
        "On which Tensors? On new leaves that hold the data of `node._inputs`, with its dtype. "
        "The walk starts from `out_grad`.",
    ),
    mistakes=(
        Mistake(
            "same-inputs",
            "return tuple(grad(self.f(*node._inputs), node._inputs, out_grad))",
            "You computed `f` on the inputs themselves. Their graph goes on below them: the walk "
            "runs through everything that came before, once for every checkpoint, and where an "
            "input was made from another one, it counts twice. Use fresh leaves.",
        ),
        Mistake(
            "starts-from-ones",
            "leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]\n"
            "return tuple(grad(self.f(*leaves), leaves))",
            "You forgot `out_grad`: the walk through `f` starts from what arrived at its output.",
        ),
        Mistake(
            "by-hand",
            "leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]\n"
            "found = grad(self.f(*leaves), leaves)\nreturn tuple(out_grad * g for g in found)",
            "You multiplied with `out_grad` at the end. It has the shape of the output and goes "
            "through every rule of `f`: start the walk with it.",
        ),
        Mistake(
            "into-the-inputs",
            "leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]\n"
            "self.f(*leaves).backward(out_grad)\n"
            "for x, each in zip(node._inputs, leaves):\n    x.grad = each.grad\n"
            "return tuple(Tensor(x.grad, dtype=x.dtype, requires_grad=False) for x in leaves)",
            "You wrote into `grad` of the inputs. A rule returns gradients; whoever walks adds "
            "them up.",
        ),
    ),
)  # fmt: skip

PIECES = """
for start in range(0, len(layers), size):
    piece = layers[start : start + size]

    def f(x, *weights, piece=piece):
        left = list(weights)
        own = [(layer, [left.pop(0) for _ in each]) for layer, each in piece]
        return chain(own, x)

    x = checkpoint(f, x, *(weight for _, own in piece for weight in own))
return x
"""

CHECKPOINTED = Exercise(
    "chapter13.checkpointed",
    section="13.7",
    targets=("memory.checkpointed",),
    points=3,
    minutes=25,
    difficulty=3,
    needs=("chapter13.checkpoint.forward", "chapter13.checkpoint.backward"),
    hints=(
        "`layers[start : start + size]` is a piece, for every `start` in "
        "`range(0, len(layers), size)`. Write a function that sends a Tensor through one piece.",
        "That function gets the weights of all its layers in a row, and has to hand each layer as "
        "many as it has. Weights that it finds elsewhere would be constants.",
        "It runs again on the way back, when the loop is over. Does it still know its own piece? "
        "Chapter 11 had a word on closures in loops.",
    ),
    mistakes=(
        Mistake(
            "loop-variable", but(", piece=piece", "", PIECES),
            "All functions of your loop look up `piece` when they run, and on the way back that "
            "is the last piece for all of them. Bind it: `piece=piece` among the parameters.",
        ),
        Mistake(
            "one-piece", but("range(0, len(layers), size)", "[0]",
                             but("layers[start : start + size]", "layers", PIECES)),
            "The whole chain is one checkpoint: on the way back all of it is alive at once.",
        ),
        Mistake(
            "not-at-all", "return chain(layers, x)",
            "This is `chain`: everything is kept.",
        ),
        Mistake(
            "rest-lost", but("range(0, len(layers), size)",
                             "range(0, len(layers) - size + 1, size)", PIECES),
            "The layers that are left over at the end are lost: the last piece may be shorter.",
        ),
        Mistake(
            "weights-are-constants",
            "for start in range(0, len(layers), size):\n"
            "    piece = layers[start : start + size]\n"
            "    x = checkpoint(lambda x, piece=piece: chain(piece, x), x)\nreturn x",
            "Your function finds the weights by itself, and its checkpoint knows of one input "
            "only. So no weight gets a gradient: hand them over as inputs.",
        ),
        Mistake(
            "weights-turned-round", but("left.pop(0)", "left.pop()", PIECES),
            "The weights are handed out from the end: each layer gets those of another one.",
        ),
        Mistake(
            "a-layer-each", but("range(0, len(layers), size)", "range(len(layers))",
                                but("start + size", "start + 1", PIECES)),
            "Every layer has a checkpoint of its own, so that every result between two layers is "
            "kept after all. A checkpoint holds `size` layers.",
        ),
    ),
)  # fmt: skip
