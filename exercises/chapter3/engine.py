"""The walk back through the graph: an order for its tensors, and `Tensor.backward`.

The mistakes of the walk are small changes to one plain walk, so they are written as such.
"""

from grader.course import Exercise, Mistake

from .order import ORDER_OF
from .recursion import RECURSIVE

REVERSED = (r"reversed\(\w+[()]", r"\[::-1\]", r"\.reverse\(\)")  # an order turned round
ORDER = """
order, seen, stack = [], set(), [(self, False)]
while stack:
    node, inputs_are_done = stack.pop()
    if inputs_are_done:
        order.append(node)
    elif id(node) not in seen:
        seen.add(id(node))
        stack.append((node, True))
        stack.extend((source, False) for source in reversed(node._inputs))
order.reverse()
"""
PREORDER = """
order, seen, stack = [], set(), [self]
while stack:
    node = stack.pop()
    if id(node) not in seen:
        seen.add(id(node))
        order.append(node)
        stack.extend(reversed(node._inputs))
"""
BREADTH = """
order, seen = [self], {id(self)}
for node in order:
    for source in node._inputs:
        if id(source) not in seen:
            seen.add(id(source))
            order.append(source)
"""
START = """
if grad is None:
    grad = np.ones(self.shape)
if isinstance(grad, Tensor):
    grad = grad.data
"""
LEAF = """
        node.grad = np.array(total) if node.grad is None else node.grad + total
"""
TUPLE = """
    if isinstance(gradients, Tensor):
        gradients = (gradients,)
"""
ARRIVE = """
    for source, gradient in zip(node._inputs, gradients):
        if id(source) in arrived:
            arrived[id(source)] = arrived[id(source)] + gradient.data
        else:
            arrived[id(source)] = gradient.data
"""
SEEN_TOO_LATE = """
order, seen = [], set()

def visit(node):
    for source in node._inputs:
        visit(source)
    if id(node) not in seen:
        seen.add(id(node))
        order.append(node)

visit(self)
order.reverse()
"""
WALK = f"""{ORDER}{START}
arrived = {{id(self): grad}}
for node in order:
    total = arrived.get(id(node))
    if total is None or not node.requires_grad:
        continue
    if node._op is None:{LEAF}
        continue
    gradients = node._op.backward(Tensor(total, dtype=node.dtype), node){TUPLE}{ARRIVE}"""

PATHS = f"""{START}
arrived, stack = dict(), [(self, grad)]
while stack:
    node, total = stack.pop()
    if not node.requires_grad:
        continue
    if node._op is None:{LEAF}
        continue
    gradients = node._op.backward(Tensor(total, dtype=node.dtype), node){TUPLE}
    stack.extend((source, g.data) for source, g in zip(node._inputs, gradients))
"""


def changed(*parts: str, walk: str = WALK) -> str:
    """The plain walk with one part replaced: old, new."""
    old, new = parts
    assert old in walk, old
    return walk.replace(old, new)


MISTAKES = (
    Mistake(
        "path-overwritten",
        changed(
            ARRIVE,
            "\n    for source, gradient in zip(node._inputs, gradients):"
            "\n        arrived[id(source)] = gradient.data",
        ),
        "A tensor that was used twice gets a gradient from each use. You kept the last one; the "
        "gradients of all paths add up.",
    ),
    Mistake(
        "call-overwritten",
        changed(LEAF, "\n        node.grad = np.array(total)"),
        "A leaf that held a gradient from an earlier call lost it. A new call adds to it.",
    ),
    Mistake(
        "shared-array",
        changed("arrived[id(source)] = arrived[id(source)] + gradient.data",
                "arrived[id(source)] += gradient.data"),
        "`+=` changes an array in place. An op may hand the same array to both of its inputs, as "
        "Add does; adding to one then adds to the other as well.",
    ),
    Mistake(
        "grad-not-copied",
        changed(LEAF, "\n        if node.grad is None:\n            node.grad = total"
                      "\n        else:\n            node.grad += total"),
        "You stored the array that arrived without copying it, and later added to it in place. "
        "Whoever else holds that array, another leaf for one, sees its gradient change.",
    ),
    Mistake(
        "once-per-path",
        PATHS,
        "The gradients are right, but you walk every path to its end, so an op's backward runs "
        "once per path: in a ladder of ten diamonds a thousand times. Wait until all gradients "
        "of a node have arrived, then hand on their sum.",
    ),
    Mistake(
        "handed-on-again",
        changed("    gradients = node",
                "    total = arrived[id(node)] = arrived.get(id(node), 0) + total\n"
                "    gradients = node", walk=PATHS),
        "Each time a gradient arrives at a node you hand on all that has arrived so far, so what "
        "came first is handed on twice. A node hands on once, after all its users have.",
    ),
    Mistake(
        "pre-order",
        changed(ORDER, PREORDER),
        "A node enters your order before its inputs have been visited. That puts a tensor before "
        "some of its users, so it hands its gradient on too early. Add a node after its inputs, "
        "and reverse the order at the end.",
    ),
    Mistake(
        "breadth-first",
        changed(ORDER, BREADTH),
        "You go through the graph level by level. Where a short and a long path meet, the tensor "
        "is reached by the short one, and hands its gradient on before the long one has arrived.",
    ),
    Mistake(
        "seen-too-late",
        changed(ORDER, SEEN_TOO_LATE),
        "The gradients are right, but you ask whether you have seen a tensor only after you went "
        "to its inputs. So your visit takes every path, and with 40 diamonds in a row there are "
        "2⁴⁰ of them. Ask first.",
    ),
    Mistake(
        "seen-never-filled",
        changed("        seen.add(id(node))\n", ""),
        "You ask whether a tensor was seen, but you never note that it was. It enters the order "
        "once per path, and hands on each time what it handed on before.",
    ),
    RECURSIVE,
    Mistake(
        "recursive-walk",
        f"{START}\n"
        "def walk(node, grad):\n"
        "    if not node.requires_grad:\n        return\n"
        "    node.grad = np.array(grad if node.grad is None else node.grad + grad)\n"
        "    if node._op is None:\n        return\n"
        "    gradients = node._op.backward(Tensor(node.grad, dtype=node.dtype), node)\n"
        "    if isinstance(gradients, Tensor):\n        gradients = (gradients,)\n"
        "    for source, gradient in zip(node._inputs, gradients):\n"
        "        walk(source, gradient.data)\n\n"
        "walk(self, grad)",
        "You go down to the inputs as soon as one gradient has arrived, and hand on all that "
        "`grad` holds by then. What came first is so handed on twice: this is the draft of the "
        "bug hunt. Put the tensors in order first, then let each hand on once.",
    ),
    Mistake(
        "two-inputs",
        changed(
            ARRIVE,
            ARRIVE.replace(
                "        if id(source)",
                "        if source._op is None and source.requires_grad:\n"
                "            held = source.grad\n"
                "            source.grad = np.array(\n"
                "                gradient.data if held is None else held + gradient.data)\n"
                "            continue\n"
                "        if id(source)",
            ),
            walk=changed(
                "reversed(node._inputs)", "reversed(node._inputs[:2])",
                walk=changed(LEAF, "\n        node.grad = np.array(total)"),
            ),
        ),
        "You visit the first two inputs of an op. An op may have three or more, and what made "
        "the third one has to come into the order too.",
    ),
    Mistake(
        "tensor-grad",
        changed(
            LEAF,
            "\n        held = 0 if node.grad is None else node.grad.data"
            "\n        node.grad = Tensor(held + total, dtype=node.dtype)",
        ),
        "The gradients are right, but you leave Tensors in `grad`. It is an ndarray: with a "
        "Tensor, `w.data - 0.5 * w.grad` in a training loop makes a Tensor of `w.data`.",
    ),
    Mistake(
        "not-reversed",
        changed("order.reverse()\n", ""),
        "You start with the leaves. The gradient starts at the output: the order has to be "
        "reversed.",
        lacks=REVERSED,
    ),
    Mistake(
        "local-only",
        changed("Tensor(total, dtype=node.dtype)", "Tensor(np.ones(node.shape), dtype=node.dtype)"),
        "You call every op's backward with ones. It needs the gradient that arrived at its "
        "output; without it, each result is the derivative of one step, not of the whole chain.",
    ),
    Mistake(
        "same-input-once",
        changed(
            ARRIVE,
            "\n    handed = {id(s): g.data for s, g in zip(node._inputs, gradients)}"
            "\n    for key, g in handed.items():"
            "\n        arrived[key] = arrived[key] + g if key in arrived else g",
        ),
        "Where an op takes the same tensor twice, as `x * x` does, you keep only one of the two "
        "gradients.",
    ),
    Mistake(
        "number-rebound",
        changed(ARRIVE.partition("        if")[2],
                " id(source) in arrived:\n            held = arrived[id(source)]"
                "\n            held += gradient.data"
                "\n        else:\n            arrived[id(source)] = gradient.data * 1.0"),
        "For an array, `held += …` changes the array. For a single number it makes a new number "
        "and binds the name `held` to it: what you stored stays as it was. Store the sum.",
    ),
    Mistake(
        "grad-ignored",
        changed(START, "\ngrad = np.ones(self.shape)"),
        "You start from ones even where a `grad` is given.",
    ),
    Mistake(
        "one-number",
        changed("np.ones(self.shape)", "np.ones(())"),
        "Without `grad` you start from a single 1. The start has the shape of the output: one 1 "
        "for each of its values.",
    ),
    Mistake(
        "scalar-only",
        changed(
            "if grad is None:",
            "if grad is None and self.shape != ():\n"
            "    raise RuntimeError('grad can be created only for a scalar')\n"
            "if grad is None:",
        ),
        "PyTorch refuses here, but this course's `backward` starts from ones, whatever the shape.",
    ),
    Mistake(
        "array-refused",
        changed(START, "\ngrad = np.ones(self.shape) if grad is None else grad.numpy()"),
        "You take `grad` for a Tensor. It may be an ndarray as well.",
    ),
    Mistake(
        "constants-too",
        changed(" or not node.requires_grad", ""),
        "You also leave gradients in tensors with `requires_grad=False`; theirs stays None.",
    ),
    Mistake(
        "bare-tensor",
        changed(TUPLE, ""),
        "An op with one input returns a bare Tensor, not a tuple, and a Tensor cannot be looped "
        "over.",
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.backward",
    section="3.11",
    targets=("tensor.Tensor.backward",),
    points=6,
    minutes=30,
    difficulty=3,
    hints=(
        "Two steps: put the graph in order, then walk it. In the order each tensor stands after "
        "everything that it was made from; the walk goes from the end to the start.",
        "For the order: `topological_order(self)`, from its end. For the walk: a dict from `id` to "
        "what has arrived.",
        "At each tensor, all has arrived. A leaf adds it to its `.grad`. Any other calls "
        "`_op.backward` once with it and adds each result to what has arrived at that input. "
        "One input gives a bare Tensor; make it a tuple first. Make new arrays, no `+=`.",
    ),
    mistakes=MISTAKES,
)

EXERCISES = (ORDER_OF, BACKWARD)
