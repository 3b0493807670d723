"""The tensors that a result was made from, in order: `topological_order`."""

from exercises.chapter1.orders import ASKED, orders
from grader.course import Exercise, Mistake

_ORDERS = orders("_inputs")

ORDER_OF = Exercise(
    "chapter3.topological_order",
    section="3.11",
    targets=("tensor.topological_order",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "Write a small function inside that visits one tensor. When may that tensor join the "
        "list?",
        "First visit everything in `tensor._inputs`, then append the tensor itself.",
        "Keep a set of what was visited, by `id(tensor)`, and ask it before you go to the inputs.",
    ),
    mistakes=(
        Mistake(
            "once-per-path",
            _ORDERS["once-per-path"],
            "You list a tensor once for every path that leads to it. Remember which tensors you "
            "have visited, and list each only once.",
            lacks=(ASKED,),
        ),
        Mistake(
            "seen-never-filled",
            _ORDERS["seen-never-filled"],
            "You ask whether a tensor was seen, but you never note that it was. It enters the "
            "list once for every path that leads to it.",
            has=(ASKED,),
            lacks=(r"\.add\(",),
        ),
        Mistake(
            "too-early",
            _ORDERS["too-early"],
            "You append a tensor before you visit its inputs. It has to come after all of them.",
        ),
        Mistake(
            "seen-too-late",
            _ORDERS["seen-too-late"],
            "The list is right, but you ask whether you have seen a tensor only after you went "
            "to its inputs. So your visit takes every path, and with 40 diamonds in a row there "
            "are 2⁴⁰ of them. Ask first.",
        ),
        Mistake(
            "root-first",
            _ORDERS["root-first"],
            "Your list runs from the root to the leaves. It is asked for the other way round; "
            "`backward` then goes through it from its end.",
        ),
        Mistake(
            "by-levels",
            _ORDERS["by-levels"],
            "You went level by level from the root. A tensor that is reached by a short way and "
            "by a long one comes too early then: wait for the long one.",
        ),
        Mistake(
            "without-leaves",
            _ORDERS["without-leaves"],
            "The leaves are missing in your list. They are where the gradients have to arrive.",
        ),
        Mistake(
            "two-inputs",
            _ORDERS["two-inputs"],
            "You visit the first two inputs of an op. An op may have three or more.",
        ),
    ),
)
