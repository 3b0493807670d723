"""Engine 1, `grad_fn`: the walk by recursion, what it costs, and the walk in order."""

from grader.course import body, edit, exercise, instead, mistake

from .sentences import KEPT_AS_IT_WAS, REVERSED, STORED


@exercise("chapter11.grad_fn.backward", targets=("engines.grad_fn.Tensor.backward",), points=4)
class BACKWARD:
    """Four steps: is a gradient wanted here; store what arrived; stop at a leaf; ask the rule and
    pass on.

    `self.grad_fn.backward(arrived)` gives one array per input, in the order of
    `self.grad_fn.inputs`. `zip` brings them together.

    For each pair, call `source.backward(handed)`: this very function again, one node down.
    """

    overwrites = edit(" if self.grad is None else self.grad + arrived", "")
    """You set `grad`. Where a second path leads to the same Tensor, what came by the first is lost:
    add to it."""

    hands_on_the_sum = edit("(arrived),", "(self.grad),")
    """You pass on `self.grad`, all that has ever arrived. With two paths to one Tensor, the first
    part goes down twice. Pass on what arrived just now."""

    not_stored = edit("self.grad = np.array(arrived)", "total = arrived", lacks=(STORED,))
    """You worked the sum out and did not put it into `self.grad`. Nothing is left of it when the
    function ends."""

    not_copied = edit("np.array(arrived)", "arrived")
    """The first gradient is stored as it came. One array may reach several Tensors: change one's
    `grad` in place, and the others change with it. Copy it."""

    @instead("for source, handed", "source.backward(handed)")
    def first_input_only(self, arrived):
        """Only the first input is handed something. Every input of the rule needs its own."""
        for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived), strict=True):
            source.backward(handed)
            break

    def stores_in_leaves_of_constants(self, gradient):
        """A Tensor that requires no gradient got one all the same. Return before you store."""
        arrived = np.ones_like(self.data) if gradient is None else np.asarray(gradient, np.float64)
        self.grad = np.array(arrived) if self.grad is None else self.grad + arrived
        if self.grad_fn is None:
            return
        for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived), strict=True):
            source.backward(handed)

    @mistake(lacks=(r"(?<!grad_fn)\.backward\(",))
    def result_dropped(self, gradient):
        """You ask the rule and drop what it returns. Lectures let a rule call `backward` of its
        inputs; here it only returns one gradient per input, and this method hands each on."""
        if not self.requires_grad:
            return
        arrived = np.ones_like(self.data) if gradient is None else np.asarray(gradient, np.float64)
        self.grad = np.array(arrived) if self.grad is None else self.grad + arrived
        if self.grad_fn is None:
            return
        self.grad_fn.backward(arrived)

    starts_over = edit("(handed)", "()", has=(r"\.backward\(\)",))
    """You call `backward` of the inputs without what the rule gave, so that each starts from ones
    again."""


@exercise("engines.grad_fn.visits", points=1.5, needs=("chapter11.grad_fn.init",))
class VISITS:
    """The recursion asks the root's rule once, and then does the same from each input.

    So: 1, plus the visits of every input; 0 where there is no rule.
    """

    def each_once(root):
        """You count the rules, each once. The recursion does not notice that it has been somewhere
        before; count every time that it comes by."""
        seen = set()

        def count(node):
            if node.grad_fn is None or not node.requires_grad or id(node) in seen:
                return 0
            seen.add(id(node))
            return 1 + sum(count(s) for s in node.grad_fn.inputs)

        return count(root)

    def leaves_too(root):
        """You count the leaves as well. A leaf has no rule that could be asked."""
        if not root.requires_grad:
            return 0
        if root.grad_fn is None:
            return 1
        return 1 + sum(visits(source) for source in root.grad_fn.inputs)

    constants_too = edit("0", "1")
    """You count what has no rule as well: leaves and constants. None of them is asked."""

    own_call_forgotten = edit("1 + ", "", lacks=(r"\b1 \+|\+ 1\b|\+= 1\b",))
    """You sum what lies below and forget the rule of the node itself, so all is 0."""

    def first_input_only(root):
        """You follow the first input only. The recursion follows all of them."""
        if root.grad_fn is None or not root.requires_grad:
            return 0
        return 1 + visits(root.grad_fn.inputs[0])


@exercise("chapter11.grad_fn.in_order", targets=("engines.grad_fn.backward_in_order",), points=4)
class IN_ORDER:
    """Two parts. First list the Tensors so that each comes after its inputs, as in
    `topological_order` of chapter 1. Then go through the list from its end.

    Gather what arrives in a dict, by `id` of the Tensor; start it with the root's.

    When a Tensor's turn comes, everything has arrived: take the sum out of the dict, add it to
    `grad`, ask the rule once, and add each result to the entry of its input.
    """

    def _plain(root, gradient):
        order, seen = [], set()

        def visit(node):
            if not node.requires_grad or id(node) in seen:
                return
            seen.add(id(node))
            for source in node.grad_fn.inputs if node.grad_fn is not None else ():
                visit(source)
            order.append(node)

        visit(root)
        start = (
            np.ones_like(root.data) if gradient is None else np.array(gradient, dtype=np.float64)
        )
        arrived = {id(root): start}
        for node in reversed(order):
            if id(node) not in arrived:
                continue
            total = arrived[id(node)]
            node.grad = np.array(total) if node.grad is None else node.grad + total
            if node.grad_fn is None:
                continue
            for source, handed in zip(node.grad_fn.inputs, node.grad_fn.backward(total)):
                earlier = arrived.get(id(source))
                arrived[id(source)] = handed if earlier is None else earlier + handed

    recursion_again = body("root.backward(gradient)")
    """This is the recursion of 11.2. The numbers are right, but it asks a rule once for every path;
    here each is asked once."""

    @instead("visit(root)", edits=(("reversed(order)", "order"),), of=_plain)
    def breadth_first(root, seen):
        """You go level by level from the root. Where a short and a long path lead to one Tensor, it
        is asked before all that belongs to it has arrived."""
        order = [root]
        for node in order:
            for each in node.grad_fn.inputs if node.grad_fn is not None else ():
                if each.requires_grad and id(each) not in seen:
                    seen.add(id(each))
                    order.append(each)

    wrong_way = edit("reversed(order)", "order", of=_plain, lacks=(REVERSED,))
    """You go from the leaves to the root. Nothing has arrived at a leaf then: go through the list
    from its end."""

    @instead(
        "earlier = arrived.get(id(source))",
        "arrived[id(source)] = handed",
        edits=((" if earlier is None else earlier + handed", ""),),
        of=_plain,
    )
    def keeps_the_last(arrived, source, handed):
        """What arrives at an input replaces what had arrived before. Add the two."""
        arrived[id(source)] = handed

    earlier_handed_on = edit("total))", "node.grad))", of=_plain)
    """You pass on `node.grad`, in which an earlier walk may have left something. Only what arrived
    in this walk goes on."""

    overwrites = edit(
        " if node.grad is None else node.grad + total", "", of=_plain, lacks=(KEPT_AS_IT_WAS,)
    )
    """You set `grad`. What a leaf holds from an earlier walk has to stay; add to it."""

    not_copied = edit("np.array(total)", "total", of=_plain)
    """A gradient is stored as it came. One array may reach several Tensors: change one's `grad` in
    place, and the others change with it. Copy it."""
