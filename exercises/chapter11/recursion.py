"""Engine 1, `grad_fn`: the walk by recursion, what it costs, and the walk in order."""

from grader.course import Exercise, Mistake

_WALK = """\
if not self.requires_grad:
    return
arrived = np.ones_like(self.data) if gradient is None else np.asarray(gradient, np.float64)
{store}
if self.grad_fn is None:
    return
for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward({ask})):
    {pass_on}"""
_STORE = "self.grad = np.array(arrived) if self.grad is None else self.grad + arrived"


def _walk(store: str = _STORE, ask: str = "arrived", pass_on: str = "source.backward(handed)"):
    return _WALK.format(store=store, ask=ask, pass_on=pass_on)


BACKWARD = Exercise(
    "chapter11.grad_fn.backward",
    section="11.2",
    targets=("engines.grad_fn.Tensor.backward",),
    points=4,
    minutes=15,
    difficulty=3,
    needs=("chapter11.grad_fn.init",),
    hints=(
        "Four steps: is a gradient wanted here; store what arrived; stop at a leaf; ask the rule "
        "and hand on.",
        "`self.grad_fn.backward(arrived)` gives one array per input, in the order of "
        "`self.grad_fn.inputs`. `zip` brings them together.",
        "For each pair, call `source.backward(handed)`: this very function again, one node down.",
    ),
    mistakes=(
        Mistake(
            "overwrites",
            _walk(store="self.grad = np.array(arrived)"),
            "You set `grad`. Where a second path leads to the same Tensor, what came by the first "
            "is lost: add to it.",
        ),
        Mistake(
            "hands-on-the-sum",
            _walk(ask="self.grad"),
            "You hand on `self.grad`, all that has ever arrived. With two paths to one Tensor, "
            "the first part goes down twice. Hand on what arrived just now.",
        ),
        Mistake(
            "not-stored",
            _walk(store="total = arrived if self.grad is None else self.grad + arrived"),
            "You worked the sum out and did not put it into `self.grad`. Nothing is left of it "
            "when the function ends.",
        ),
        Mistake(
            "not-copied",
            _walk(store="self.grad = arrived if self.grad is None else self.grad + arrived"),
            "The first gradient is stored as it came. One array may reach several Tensors: change "
            "one's `grad` in place, and the others change with it. Copy it.",
        ),
        Mistake(
            "first-input-only",
            _walk(pass_on="source.backward(handed)\n    break"),
            "Only the first input is handed something. Every input of the rule needs its own.",
        ),
        Mistake(
            "stores-in-leaves-of-constants",
            _walk().replace("if not self.requires_grad:\n    return\n", ""),
            "A Tensor that requires no gradient got one all the same. Return before you store.",
        ),
        Mistake(
            "starts-over",
            _walk(pass_on="source.backward()"),
            "You call `backward` of the inputs without what the rule gave, so that each starts "
            "from ones again.",
        ),
    ),
)

VISITS = Exercise(
    "chapter11.grad_fn.visits",
    section="11.4",
    targets=("engines.grad_fn.visits",),
    points=1.5,
    minutes=8,
    difficulty=2,
    needs=("chapter11.grad_fn.init",),
    hints=(
        "The recursion asks the root's rule once, and then does the same from each input.",
        "So: 1, plus the visits of every input; 0 where there is no rule.",
    ),
    mistakes=(
        Mistake(
            "each-once",
            "seen = set()\n\ndef count(node):\n"
            "    if node.grad_fn is None or not node.requires_grad or id(node) in seen:\n"
            "        return 0\n    seen.add(id(node))\n"
            "    return 1 + sum(count(s) for s in node.grad_fn.inputs)\n\nreturn count(root)",
            "You count the rules, each once. The recursion does not notice that it has been "
            "somewhere before; count every time that it comes by.",
        ),
        Mistake(
            "leaves-too",
            "if not root.requires_grad:\n    return 0\nif root.grad_fn is None:\n    return 1\n"
            "return 1 + sum(visits(source) for source in root.grad_fn.inputs)",
            "You count the leaves as well. A leaf has no rule that could be asked.",
        ),
        Mistake(
            "own-call-forgotten", edit=("1 + sum", "sum"),
            says="You sum what lies below and forget the rule of the node itself, so all is 0.",
        ),
        Mistake(
            "first-input-only",
            "if root.grad_fn is None or not root.requires_grad:\n    return 0\n"
            "return 1 + visits(root.grad_fn.inputs[0])",
            "You follow the first input only. The recursion follows all of them.",
        ),
    ),
)

_ORDER = """\
order, seen = [], set()

def visit(node):
    if not node.requires_grad or id(node) in seen:
        return
    seen.add(id(node))
    for source in node.grad_fn.inputs if node.grad_fn is not None else ():
        visit(source)
    order.append(node)

visit(root)
start = np.ones_like(root.data) if gradient is None else np.array(gradient, dtype=np.float64)
arrived = {{id(root): start}}
for node in {nodes}:
    {take}
    {store}
    if node.grad_fn is None:
        continue
    for source, handed in zip(node.grad_fn.inputs, node.grad_fn.backward({ask})):
        {keep}"""
_TAKE = "if id(node) not in arrived:\n        continue\n    total = arrived[id(node)]"
_KEEP = (
    "earlier = arrived.get(id(source))\n"
    "        arrived[id(source)] = handed if earlier is None else earlier + handed"
)
_SET = "node.grad = np.array(total) if node.grad is None else node.grad + total"


def _ordered(nodes="reversed(order)", take=_TAKE, store=_SET, ask="total", keep=_KEEP):
    return _ORDER.format(nodes=nodes, take=take, store=store, ask=ask, keep=keep)


IN_ORDER = Exercise(
    "chapter11.grad_fn.in_order",
    section="11.4",
    targets=("engines.grad_fn.backward_in_order",),
    points=4,
    minutes=25,
    difficulty=3,
    needs=("chapter11.grad_fn.init",),
    hints=(
        "Two parts. First list the Tensors so that each comes after its inputs, as in "
        "`topological_order` of chapter 1. Then go through the list from its end.",
        "Gather what arrives in a dict, by `id` of the Tensor; start it with the root's.",
        "When a Tensor's turn comes, everything has arrived: take the sum out of the dict, add it "
        "to `grad`, ask the rule once, and add each result to the entry of its input.",
    ),
    mistakes=(
        Mistake(
            "recursion-again",
            "root.backward(gradient)",
            "This is the recursion of 11.2. The numbers are right, but it asks a rule once for "
            "every path; here each is asked once.",
        ),
        Mistake(
            "wrong-way",
            _ordered(nodes="order"),
            "You go from the leaves to the root. Nothing has arrived at a leaf then: go through "
            "the list from its end.",
        ),
        Mistake(
            "keeps-the-last",
            _ordered(keep="arrived[id(source)] = handed"),
            "What arrives at an input replaces what had arrived before. Add the two.",
        ),
        Mistake(
            "earlier-handed-on",
            _ordered(ask="node.grad"),
            "You hand on `node.grad`, in which an earlier walk may have left something. Only what "
            "arrived in this walk goes on.",
        ),
        Mistake(
            "overwrites",
            _ordered(store="node.grad = np.array(total)"),
            "You set `grad`. What a leaf holds from an earlier walk has to stay; add to it.",
        ),
        Mistake(
            "not-copied",
            _ordered(store="node.grad = total if node.grad is None else node.grad + total"),
            "A gradient is stored as it came. One array may reach several Tensors: change one's "
            "`grad` in place, and the others change with it. Copy it.",
        ),
    ),
)
