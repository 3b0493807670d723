"""A program per way to call what learners write. Its docstring is the sentence that they read."""

import json

import numpy as np


class Complaint(Exception):
    """What came back cannot be read; the message is shown to the learner."""


def told(bg, name, *args):
    """What a function of theirs returns, where it leaves its arguments alone."""
    before = repr(args)
    found = getattr(bg, name)(*args)
    if found is None:
        raise Complaint(f"{name} returned None; did you forget `return`?")
    if repr(args) != before:
        raise Complaint(f"{name} changed what it was given.")
    return found


def whole(values, kind, name):
    """What came back, where all of it is of one kind."""
    if not isinstance(values, list) or not all(type(value) is kind for value in values):
        raise Complaint(f"{name} returned {values!r}; a list of {kind.__name__} was expected.")
    return values


def text(said):
    """A text, by its bytes."""
    return {"value": [np.frombuffer(said.encode(), np.uint8)]}


def is_sorted(bg, lists):
    """is_sorted tells which lists are sorted."""
    found = [told(bg, "is_sorted", values) for values in lists]
    return {"value": [np.array(whole(found, bool, "is_sorted"))]}


def listed(bg, name, args):
    """{name} gives the right values in the right order."""
    found = whole(told(bg, name, *args), int, name)
    return {"value": [np.array(found, np.int64)]}


def nodes(bg, name, args):
    """{name} gives a list of nodes."""
    return text(json.dumps(whole(told(bg, name, *args), str, name)))


def together(bg, graph):
    """Nodes that edges connect are in one set, and every set is there once."""
    found = whole(told(bg, "components", graph), set, "components")
    return text("; ".join(sorted(" ".join(sorted(each)) for each in found)))


def numbers(bg, name, args):
    """{name} gives every node its number."""
    found = told(bg, name, *args)
    if not isinstance(found, dict):
        raise Complaint(f"{name} returned a {type(found).__name__}; a dict was expected.")
    return text(json.dumps(found, sort_keys=True))


def members(bg, graph, start):
    """All nodes that can be reached are in it, and no others."""
    return text(" ".join(sorted(told(bg, "reachable", graph, start))))


# Predicates, for what has several right answers: they see an answer as data, in another process.


def parted(answer, name, args):
    """partition keeps all values, and those below the pivot come first."""
    values, pivot = args
    found = answer["value"][0].tolist()
    if sorted(found) != sorted(values):
        raise Complaint(f"partition gave {found}, and not the values that it was given.")
    below = sum(value < pivot for value in values)
    return {"value": [np.array(sorted(found[:below]), np.int64)]}


def way(answer, name, args):
    """Each node has an edge to the next, and there are as few as possible."""
    graph, *_ = args
    found = json.loads(bytes(answer["value"][0]))
    for node, after in zip(found, found[1:], strict=False):
        if after not in graph.get(node, ()):
            raise Complaint(f"path gave {found}, and no edge leads from {node} to {after}.")
    return text(f"{''.join(found[:1])} to {''.join(found[-1:])}, {len(found)} nodes")


def sound(answer, name, args):
    """Every node is there once, and every edge leads forward."""
    (graph,) = args
    found = json.loads(bytes(answer["value"][0]))
    if sorted(found) != sorted(graph):
        raise Complaint(f"order gave {found}, and not every node once.")
    place = {node: at for at, node in enumerate(found)}
    kept = " ".join(a + b for a in graph for b in graph[a] if place[a] < place[b])
    return text(kept)
