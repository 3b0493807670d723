"""Unit 2: graphs. A graph is a dict: each node, a text, and the list of nodes it has edges to."""


def degrees(graph):
    """A dict: for each node, how many edges lead to it or away from it."""
    # Yours to write: section 2.1; `grader check unit2.degrees`
    raise NotImplementedError


def reachable(graph, start):
    """The set of all nodes that edges lead to from the start, itself among them."""
    # Yours to write: section 2.2; `grader check unit2.reachable`
    raise NotImplementedError


def distances(graph, start):
    """A dict: for each node that can be reached, the fewest edges on a way to it."""
    # Yours to write: section 2.3; `grader check unit2.distances`
    raise NotImplementedError


def path(graph, start, goal):
    """A list of nodes from start to goal, each with an edge to the next, as few as possible.

    Where there are several, any of them. The goal can be reached.
    """
    # Yours to write: section 2.4; `grader check unit2.path`
    raise NotImplementedError


def order(graph):
    """All nodes in a list, so that every edge leads forward; of several such orders, any.

    No edges lead round in a circle.
    """
    # Yours to write: section 2.5; `grader check unit2.order`
    raise NotImplementedError


def components(graph):
    """A list of sets: nodes are in one set if edges connect them, whichever way they lead."""
    # Yours to write: section 2.6; `grader check unit2.components`
    raise NotImplementedError
