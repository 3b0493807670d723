"""The tensors that a result was made from, in order: `topological_order`."""

from grader.course import Exercise, Mistake

_ASKED = r"\bif .*\bin \w+:"  # whether something is in a collection
_BY_CALLS = """
order, seen = [], set()

def visit(tensor):
    {before}
    for source in tensor._inputs:
        visit(source)
    {after}

visit(root)
return order
"""
_ONCE = "if id(tensor) in seen:\n        return\n    seen.add(id(tensor))"

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
            _BY_CALLS.format(before="pass", after="order.append(tensor)"),
            "You list a tensor once for every path that leads to it. Remember which tensors you "
            "have visited, and list each only once.",
            lacks=(_ASKED,),
        ),
        Mistake(
            "seen-never-filled",
            _BY_CALLS.format(
                before="if id(tensor) in seen:\n        return", after="order.append(tensor)"
            ),
            "You ask whether a tensor was seen, but you never note that it was. It enters the "
            "list once for every path that leads to it.",
            has=(_ASKED,),
            lacks=(r"\.add\(",),
        ),
        Mistake(
            "too-early",
            _BY_CALLS.format(before=f"{_ONCE}\n    order.append(tensor)", after="pass"),
            "You append a tensor before you visit its inputs. It has to come after all of them.",
        ),
        Mistake(
            "seen-too-late",
            _BY_CALLS.format(
                before="pass",
                after="if id(tensor) not in seen:\n        seen.add(id(tensor))\n"
                "        order.append(tensor)",
            ),
            "The list is right, but you ask whether you have seen a tensor only after you went "
            "to its inputs. So your visit takes every path, and with 40 diamonds in a row there "
            "are 2⁴⁰ of them. Ask first.",
        ),
        Mistake(
            "root-first",
            _BY_CALLS.format(before=_ONCE, after="order.insert(0, tensor)"),
            "Your list runs from the root to the leaves. It is asked for the other way round; "
            "`backward` then goes through it from its end.",
        ),
        Mistake(
            "by-levels",
            "levels, level = [], [root]\n"
            "while level:\n"
            "    levels.append(level)\n"
            "    level = list({id(s): s for tensor in level for s in tensor._inputs}.values())\n"
            "found = {id(n): n for level in levels for n in level}\n"
            "return list(reversed(list(found.values())))",
            "You went level by level from the root. A tensor that is reached by a short way and "
            "by a long one comes too early then: wait for the long one.",
        ),
        Mistake(
            "without-leaves",
            _BY_CALLS.format(
                before=_ONCE.replace("seen:", "seen or tensor._op is None:", 1),
                after="order.append(tensor)",
            ),
            "The leaves are missing in your list. They are where the gradients have to arrive.",
        ),
        Mistake(
            "two-inputs",
            _BY_CALLS.format(before=_ONCE, after="order.append(tensor)").replace(
                "tensor._inputs:", "tensor._inputs[:2]:"
            ),
            "You visit the first two inputs of an op. An op may have three or more.",
        ),
    ),
)
