"""Wrong orders of a graph, which learners write for Values and for Tensors alike."""

_BY_CALLS = """\
order, seen = [], set()

def visit(node):
    {before}
    for source in node.{inputs}:
        visit(source)
    {after}

visit(root)
return order"""
_ASK = "if id(node) in seen:\n        return"
_ONCE = f"{_ASK}\n    seen.add(id(node))"
_ASK_LATE = "if id(node) not in seen:\n        seen.add(id(node))\n        order.append(node)"
_BY_LEVELS = """\
levels, level = [], [root]
while level:
    levels.append(level)
    level = list({{id(s): s for node in level for s in node.{inputs}}}.values())
found = {{id(n): n for level in levels for n in level}}
return list(reversed(list(found.values())))"""

ASKED = r"\bif .*\bin \w+:"  # whether something is in a collection


def orders(inputs: str) -> dict[str, str]:
    """Mistake → its body, where a node holds what it was made from in this attribute."""

    def by_calls(before: str, after: str = "order.append(node)") -> str:
        return _BY_CALLS.format(inputs=inputs, before=before, after=after)

    return {
        "once-per-path": by_calls("pass"),
        "seen-never-filled": by_calls(_ASK),
        "list-changed-in-place": by_calls(_ONCE).replace("return order", "return order.reverse()"),
        "too-early": by_calls(f"{_ONCE}\n    order.append(node)", "pass"),
        "seen-too-late": by_calls("pass", _ASK_LATE),
        "same-by-data": by_calls(_ONCE.replace("id(node)", "node.data")),
        "root-first": by_calls(_ONCE, "order.insert(0, node)"),
        "by-levels": _BY_LEVELS.format(inputs=inputs),
        "without-leaves": by_calls(_ONCE.replace("seen:", f"seen or not node.{inputs}:", 1)),
        "two-inputs": by_calls(_ONCE).replace(f"node.{inputs}:", f"node.{inputs}[:2]:"),
    }
