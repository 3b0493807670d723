"""The walk back: an order for the nodes, and `Value.backward`."""

from grader.course import Exercise, Mistake

from .orders import ASKED, orders

_ORDERS = orders("_prev")
_IN_PLACE = r"return \w+\.(reverse|sort)\("

ORDER = Exercise(
    "chapter1.topological_order",
    section="1.6",
    targets=("scalar.topological_order",),
    points=3,
    minutes=15,
    difficulty=3,
    needs=("chapter1.value.init",),
    hints=(
        "Write a small function inside that visits one node. When may that node join the list?",
        "First visit everything in `node._prev`, then append the node itself.",
        "Keep a set of the nodes that were visited, by `id(node)`, and do nothing for those.",
    ),
    mistakes=(
        Mistake(
            "once-per-path",
            _ORDERS["once-per-path"],
            "You list a node once for every path that leads to it. Remember which nodes you have "
            "visited, and list each only once.",
            lacks=(ASKED,),
        ),
        Mistake(
            "seen-never-filled",
            _ORDERS["seen-never-filled"],
            "You ask whether a node was seen, but you never note that it was. It enters the list "
            "once for every path that leads to it.",
            has=(ASKED,),
            lacks=(r"\.add\(",),
        ),
        Mistake(
            "list-changed-in-place",
            _ORDERS["list-changed-in-place"],
            "`.reverse()` and `.sort()` change the list and hand back None, and that is what you "
            "returned. Return the list itself; it is asked for with the root last.",
            has=(_IN_PLACE,),
            shown_by=_IN_PLACE,
        ),
        Mistake(
            "too-early",
            _ORDERS["too-early"],
            "You append a node before you visit its inputs. It has to come after all of them.",
        ),
        Mistake(
            "seen-too-late",
            _ORDERS["seen-too-late"],
            "The list is right, but you ask whether you have seen a node only after you went to "
            "its inputs. So your visit takes every path, and 40 diamonds in a row have 2⁴⁰ of "
            "them. Ask first.",
        ),
        Mistake(
            "same-by-data",
            _ORDERS["same-by-data"],
            "You take two Values with the same `data` for one node. Compare the objects: "
            "`id(node)`.",
        ),
        Mistake(
            "root-first",
            _ORDERS["root-first"],
            "Your list runs from the root to the leaves. It is asked for the other way round.",
        ),
        Mistake(
            "by-levels",
            _ORDERS["by-levels"],
            "You went level by level from the root. A node that is reached by a short way and by "
            "a long one comes too early then: wait for the long one.",
        ),
        Mistake(
            "without-leaves",
            _ORDERS["without-leaves"],
            "The leaves are missing in your list. They are nodes too, only without inputs.",
        ),
    ),
)

BACKWARD = Exercise(
    "chapter1.value.backward",
    section="1.6",
    targets=("scalar.Value.backward",),
    points=3,
    minutes=10,
    difficulty=2,
    needs=("chapter1.topological_order",),
    hints=(
        "Nothing is handed on as long as the result itself holds 0. What is its derivative with "
        "respect to itself?",
        "`topological_order(self)` lists inputs first. You want to walk from the result.",
        "For every node of the reversed list, call its `_backward`.",
    ),
    mistakes=(
        Mistake(
            "forgot-start",
            "for node in reversed(topological_order(self)):\n    node._backward()",
            "You never set `self.grad`. It is 0, and 0 times anything is what arrives below.",
            lacks=(r"\bself\.grad = ",),
        ),
        Mistake(
            # A single call of `self._backward()` gives the same numbers.
            "not-reversed",
            "self.grad = 1.0\nfor node in topological_order(self):\n    node._backward()",
            "Only the result's own rule had something to hand on. Every node has to be called, and "
            "each after what was made from it: from the leaves up, they all still hold 0.",
        ),
        Mistake(
            "rule-not-called", edit=("node._backward()", "node._backward"),
            says="`node._backward` only names the rule. With parentheses behind it, it is called.",
        ),
        Mistake(
            "zeroes-first",
            "order = topological_order(self)\nfor node in order:\n    node.grad = 0.0\n"
            "self.grad = 1.0\nfor node in reversed(order):\n    node._backward()",
            "You set every `grad` to 0 before the walk. What a leaf holds from an earlier result "
            "has to stay; zeroing is the caller's decision.",
        ),
        Mistake(
            "restarts-below",
            "self.grad = 1.0\nself._backward()\nfor node in self._prev:\n    node.backward()",
            "You call `backward` on the inputs. That sets their `grad` to 1 and forgets what had "
            "arrived there.",
        ),
        Mistake(
            "once-per-path",
            "def visit(node):\n    node._backward()\n    for source in node._prev:\n"
            "        visit(source)\n\n"
            "self.grad = 1.0\nvisit(self)",
            "You call the rule of a node once for every path that leads to it, so that what "
            "arrived by the first path is handed on again by the second.",
        ),
    ),
)
