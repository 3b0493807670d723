"""The tensors that a result was made from, in order: `topological_order`."""

from exercises.chapter1.sentences import ASKED
from grader.course import after, edit, exercise, instead


@exercise("tensor.topological_order", points=2)
class ORDER_OF:
    """Write a small function inside that visits one tensor. When may that tensor join the list?

    First visit everything in `tensor._inputs`, then append the tensor itself.

    Keep a set of what was visited, by `id(tensor)`, and ask it before you go to the inputs.
    """

    def _plain(root):
        order, seen = [], set()

        def visit(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            for source in node._inputs:
                visit(source)
            order.append(node)

        visit(root)
        return order

    @instead("if id(node) in seen:", "seen.add(id(node))", of=_plain, lacks=(ASKED,))
    def once_per_path():
        """You list a tensor once for every path that leads to it. Remember which tensors you have
        visited, and list each only once."""
        pass

    seen_never_filled = edit("seen.add(id(node))", "", of=_plain, has=(ASKED,), lacks=(r"\.add\(",))
    """You ask whether a tensor was seen, but you never record that it was. It enters the list once
    for every path that leads to it."""

    @after("seen.add(id(node))", edits=(("order.append(node)", "pass"),), of=_plain)
    def too_early(node, order):
        """You append a tensor before you visit its inputs. It has to come after all of them."""
        order.append(node)

    @after(
        "seen.add(id(node))",
        edits=(("order.append(node)", "pass"), ("return order", "return order[::-1]")),
        of=_plain,
    )
    def too_early_reversed(node, order):
        """You append a tensor before you visit its inputs, and reverse the list. A tensor that was
        reached on another path first then comes after a user of it. Append each after its
        inputs."""
        order.append(node)

    def seen_too_late(root):
        """The list is right, but you ask whether you have seen a tensor only after you went to its
        inputs. So your visit follows every path, and with 40 diamonds in a row there are 2⁴⁰ of
        them. Ask first."""
        order, seen = [], set()

        def visit(node):
            pass
            for source in node._inputs:
                visit(source)
            if id(node) not in seen:
                seen.add(id(node))
                order.append(node)

        visit(root)
        return order

    root_first = edit("append(node)", "insert(0, node)", of=_plain)
    """Your list runs from the root to the leaves. Return it the other way round; `backward` then
    goes through it from its end."""

    def by_levels(root):
        """You went level by level from the root. A tensor with a short and a long path to it then
        comes too early: wait for the long one."""
        levels, level = [], [root]
        while level:
            levels.append(level)
            level = list({id(s): s for node in level for s in node._inputs}.values())
        found = {id(n): n for level in levels for n in level}
        return list(reversed(list(found.values())))

    without_leaves = edit("seen:", "seen or not node._inputs:", of=_plain)
    """The leaves are missing from your list. They are where the gradients have to arrive."""

    two_inputs = edit("_inputs", "_inputs[:2]", of=_plain)
    """You visit the first two inputs of an op. An op may have three or more."""
