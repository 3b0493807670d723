"""Checkpoints: less is kept, and computed once more."""

from grader.course import body, edit, exercise, instead


@exercise(
    "memory.Checkpoint.forward", points=1, minutes=6, difficulty=2, needs=("chapter13.no_grad",)
)
class FORWARD:
    """`self.f` takes Tensors: turn each array into a leaf with the array's dtype, and return the
    `data` of what comes out. Do all of it in a block of `no_grad`.
    """

    def kept_with_its_graph(self, *arrays):
        """The values are right, but you keep the output with its whole graph in `self`: nothing is
        saved."""
        leaves = [Tensor(a, dtype=a.dtype) for a in arrays]
        self.out = self.f(*leaves)
        return self.out.data

    def first_input(self, *arrays):
        """`f` got the first input instead of all the others."""
        with no_grad():
            x = [Tensor(a, dtype=a.dtype) for a in arrays]
            return self.f(x[0], *x[:1] * (len(x) - 1)).data


@exercise("memory.Checkpoint.backward", points=3, minutes=12, needs=("chapter13.grad",))
class BACKWARD:
    """Compute `self.f` once more, with a graph, and let `grad` compute the gradients of its inputs.

    On which Tensors? On new leaves that hold the data of `node._inputs`, with its dtype. The walk
    starts from `out_grad`.
    """

    same_inputs = body("return tuple(grad(self.f(*node._inputs), node._inputs, out_grad))")
    """You computed `f` on the inputs themselves. Their graph goes on below them: the walk runs
    through everything that came before, once for every checkpoint, and if an input was made from
    another one, it counts twice. Use fresh leaves."""

    starts_from_ones = edit(", out_grad", "")
    """You forgot `out_grad`: the walk through `f` starts from what arrived at its output."""

    def by_hand(self, out_grad, node):
        """You multiplied by `out_grad` at the end. It has the shape of the output and goes through
        every rule of `f`: start the walk with it."""
        leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]
        found = grad(self.f(*leaves), leaves)
        return tuple(out_grad * g for g in found)

    def into_the_inputs(self, out_grad, node):
        """You wrote into `grad` of the inputs. A rule returns gradients; the walk adds them up."""
        leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]
        self.f(*leaves).backward(out_grad)
        for x, each in zip(node._inputs, leaves):
            x.grad = each.grad
        return tuple(Tensor(x.grad, dtype=x.dtype, requires_grad=False) for x in leaves)


@exercise(
    "memory.checkpointed",
    points=3,
    needs=("chapter13.checkpoint.forward", "chapter13.checkpoint.backward"),
)
class CHECKPOINTED:
    """`layers[start : start + size]` is a piece, for every `start` in `range(0, len(layers),
    size)`. Write a function that sends a Tensor through one piece.

    That function gets the weights of all its layers in a row, and has to pass each layer as many as
    it has. Weights that it finds elsewhere would be constants.

    It runs again on the way back, when the loop is over. Does it still know its own piece? Chapter
    11 says more about closures in loops.
    """

    loop_variable = edit(": Tensor, piece: Sequence[Layer] = piece", "")
    """All functions of your loop look up `piece` when they run, and on the way back that is the
    last piece for all of them. Bind it: `piece=piece` among the parameters."""

    def one_piece(layers, x, size):
        """The whole chain is one checkpoint: on the way back all of it is alive at once."""
        for start in [0]:
            piece = layers

            def f(x, *weights, piece=piece):
                left = list(weights)
                own = [(layer, [left.pop(0) for _ in each]) for layer, each in piece]
                return chain(own, x)

            x = checkpoint(f, x, *(weight for _, own in piece for weight in own))
        return x

    not_at_all = body("return chain(layers, x)")
    """This is `chain`: everything is kept."""

    rest_lost = edit("(layers)", "(layers) - size + 1")
    """You lose the layers that are left over at the end: the last piece may be shorter."""

    def weights_are_constants(layers, x, size):
        """Your function finds the weights by itself, and its checkpoint knows only one input. So no
        weight gets a gradient: pass them as inputs."""
        for start in range(0, len(layers), size):
            piece = layers[start : start + size]
            x = checkpoint(lambda x, piece=piece: chain(piece, x), x)
        return x

    weights_turned_round = edit("(0)", "()")
    """You pass the weights in reverse order: each layer gets those of another one."""

    @instead("for start in [0]:", "piece = layers", of=one_piece)
    def a_layer_each(layers):
        """Every layer has its own checkpoint, so every result between two layers is kept after all.
        A checkpoint holds `size` layers."""
        for start in range(len(layers)):
            piece = layers[start : start + 1]
