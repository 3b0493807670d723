"""`collect`: the search through a module that everything else rests on."""

from grader.course import Exercise, Mistake

# The search, with the lines that a mistake changes left open.
SEARCH = """
found = []
seen = set()
def visit(thing):
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, kind):
        found.append(thing)
    if isinstance(thing, Module):
        thing = vars(thing)
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, (list, tuple)):
        for item in thing:
            visit(item)
visit(value)
return found
"""
ATTRIBUTES_ONLY = """
found = []
seen = set()
def visit(thing):
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, kind):
        found.append(thing)
    if isinstance(thing, Module):
        for item in vars(thing).values():
            visit(item)
visit(value)
return found
"""


def but(old: str, new: str) -> str:
    """The search with one line done otherwise."""
    assert old in SEARCH
    return SEARCH.replace(old, new)


COLLECT = Exercise(
    "chapter4.collect",
    section="4.1",
    targets=("nn.collect",),
    points=3,
    minutes=20,
    difficulty=3,
    needs=("chapter4.parameter.init",),
    hints=(
        "This is a walk through a graph, as in `Tensor.backward`: visit a thing, then visit what "
        "it holds. A set of `id(thing)` says where you have been.",
        "What does a thing hold? A Module: `vars(thing).values()`. A dict: its values. A list or "
        "tuple: its items. Anything else: nothing.",
        "Write an inner function `visit(thing)`: leave at once if it was seen, note it if it is "
        "of the right kind, then call `visit` for everything that it holds.",
    ),
    mistakes=(
        Mistake(
            "attributes-only",
            ATTRIBUTES_ONLY,
            "You look at the attributes of modules, but not into lists, tuples and dicts. The "
            "layers of a network usually live in one of these.",
        ),
        Mistake(
            "no-tuples", but("(list, tuple)", "list"),
            "You look into lists, but not into tuples. `Sequential` keeps its layers in a tuple.",
        ),
        Mistake(
            "no-dicts",
            but("    if isinstance(thing, dict):\n        thing = list(thing.values())\n", "")
            .replace("thing = vars(thing)", "thing = list(vars(thing).values())"),
            "You do not look into dicts: what stands in their values is missed.",
        ),
        Mistake(
            "not-nested", but("isinstance(thing, Module):", "thing is value:"),
            "You look into the outermost module only. The modules in it hold parameters too.",
        ),
        Mistake(
            "counted-twice",
            but("    if id(thing) in seen:\n        return\n    seen.add(id(thing))\n", "").replace(
                "    if isinstance(thing, Module):",
                "    if isinstance(thing, Module):\n        if id(thing) in seen:\n            "
                "return\n"
                "        seen.add(id(thing))",
            ),
            "A parameter that two attributes hold is listed twice; the optimizer would take two "
            "steps with it. Remember which objects you have met, parameters too.",
        ),
        Mistake(
            "endless",
            but("    if id(thing) in seen:\n        return\n    seen.add(id(thing))\n", "").replace(
                "        found.append(thing)",
                "        if not any(thing is each for each in found):\n            "
                "found.append(thing)",
            ),
            "Each object is listed once, but it is searched again whenever you meet it: two "
            "modules that hold each other keep you going round for ever.",
        ),
        Mistake(
            "not-itself",
            SEARCH.replace("visit(value)\n", "visit(list(vars(value).values()))\n"),
            "The outer object itself is left out, although it is of the kind that was asked for. "
            "The search begins with `value`.",
        ),
    ),
)  # fmt: skip
