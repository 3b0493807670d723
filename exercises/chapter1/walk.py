"""The walk back: an order for the nodes, and `Value.backward`."""

from grader.course import edit, exercise, instead, mistake

from .sentences import ASKED

_IN_PLACE = r"return \w+\.(reverse|sort)\("


@exercise("scalar.topological_order", points=3)
class ORDER:
    """Write a small function inside that visits one node. When may that node join the list?

    First visit everything in `node._prev`, then append the node itself.

    Keep a set of the nodes that were visited, by `id(node)`, and do nothing for those.
    """

    def _plain(root):
        order, seen = [], set()

        def visit(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            for source in node._prev:
                visit(source)
            order.append(node)

        visit(root)
        return order

    @instead("if id(node) in seen:", "seen.add(id(node))", of=_plain, lacks=(ASKED,))
    def once_per_path():
        """You list a node once for every path that leads to it. Remember which nodes you have
        visited, and list each only once."""
        pass

    seen_never_filled = edit("seen.add(id(node))", "", of=_plain, has=(ASKED,), lacks=(r"\.add\(",))
    """You ask whether a node was seen, but you never record that it was. It enters the list once
    for every path that leads to it."""

    list_changed_in_place = edit(
        "return order", "return order.reverse()", of=_plain, has=(_IN_PLACE,), shown_by=_IN_PLACE
    )
    """`.reverse()` and `.sort()` change the list and return None, and that is what you returned.
    Return the list itself, with the root last."""

    def too_early(root):
        """You append a node before you visit its inputs. It has to come after all of them."""
        order, seen = [], set()

        def visit(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            order.append(node)
            for source in node._prev:
                visit(source)
            pass

        visit(root)
        return order

    def seen_too_late(root):
        """The list is right, but you ask whether you have seen a node only after you went to its
        inputs. So your visit follows every path, and 40 diamonds in a row have 2⁴⁰ of them. Ask
        first."""
        order, seen = [], set()

        def visit(node):
            pass
            for source in node._prev:
                visit(source)
            if id(node) not in seen:
                seen.add(id(node))
                order.append(node)

        visit(root)
        return order

    same_by_data = edit(("if id(node)", "if node.data"), ("(id(node))", "(node.data)"), of=_plain)
    """You treat two Values with the same `data` as one node. Compare the objects: `id(node)`."""

    root_first = edit("append(node)", "insert(0, node)", of=_plain)
    """Your list runs from the root to the leaves. Return it the other way round."""

    def by_levels(root):
        """You went level by level from the root. A node with a short and a long path to it then
        comes too early: wait for the long one."""
        levels, level = [], [root]
        while level:
            levels.append(level)
            level = list({id(s): s for node in level for s in node._prev}.values())
        found = {id(n): n for level in levels for n in level}
        return list(reversed(list(found.values())))

    without_leaves = edit("seen:", "seen or not node._prev:", of=_plain)
    """The leaves are missing from your list. They are nodes too, only without inputs."""


@exercise("scalar.Value.backward", points=3, needs=("chapter1.topological_order",))
class BACKWARD:
    """Nothing is passed on as long as the result itself holds 0. What is its derivative with
    respect to itself?

    `topological_order(self)` lists inputs first. You want to walk from the result.

    For every node of the reversed list, call its `_backward`.
    """

    forgot_start = edit("self.grad = 1.0", "", lacks=(r"\bself\.grad = ",))
    """You never set `self.grad`. It is 0, and 0 times anything is 0: nothing arrives below."""

    # A single call of `self._backward()` gives the same numbers.
    not_reversed = edit(
        ("reversed(", ""), ("self)", "self"), seen="https://github.com/karpathy/micrograd/issues/96"
    )
    """Only the result's own rule had something to pass on. Call every node, each after everything
    that was made from it: if you start at the leaves, they all still hold 0."""

    rule_not_called = edit("()", "", has=(r"\._backward\b(?!\()",))
    """`node._backward` only names the rule. Parentheses after it call it."""

    @mistake(seen="https://github.com/karpathy/micrograd/pull/54")
    def zeroes_first(self):
        """You set every `grad` to 0 before the walk. What a leaf holds from an earlier result must
        stay; zeroing is up to the caller."""
        order = topological_order(self)
        for node in order:
            node.grad = 0.0
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    def breadth_first(self):
        """You go level by level from the result. If a short and a long path lead to one Value, its
        rule is called before everything has arrived."""
        self.grad = 1.0
        level, seen = [self], {id(self)}
        for node in level:
            node._backward()
            level += {id(n): n for n in node._prev if id(n) not in seen}.values()
            seen |= {id(n) for n in node._prev}

    def restarts_below(self):
        """You call `backward` on the inputs. That sets their `grad` to 1 and forgets what had
        arrived there."""
        self.grad = 1.0
        self._backward()
        for node in self._prev:
            node.backward()

    @mistake(seen="https://github.com/karpathy/micrograd/pull/64")
    def once_per_path(self):
        """You call the rule of a node once for every path to it, so what arrived by the first path
        is passed on again by the second."""

        def visit(node):
            node._backward()
            for source in node._prev:
                visit(source)

        self.grad = 1.0
        visit(self)

    def rules_called_again(self):
        """The gradients are right, and yet you call the rule of a node once for every path to it:
        in a row of 40 detours that is 2⁴⁰ calls. Wait until all has arrived, then call it once."""

        def visit(node):
            node._backward()
            if node._prev:
                node.grad = 0.0  # it has been passed on
            for source in node._prev:
                visit(source)

        self.grad = 1.0
        visit(self)
