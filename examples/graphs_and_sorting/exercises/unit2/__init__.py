"""Unit 2: its exercises, their hints, and the mistakes that people make."""

from grader.course import Chapter, edit, exercise, right, variant


@exercise("graphs.degrees", points=1)
class DEGREES:
    """Begin with the edges that lead away.

    Every edge counts for two nodes.
    """

    only_away = edit("found[other] += 1", "pass")
    """You count edges that lead away. Those that lead to a node count, too."""

    only_to = edit("len(graph[node])", "0")
    """You count edges that lead to a node. Those that lead away count, too."""


@exercise("graphs.reachable", points=2)
class REACHABLE:
    """Keep a list of nodes whose edges you have yet to follow.

    `set.add` adds a node.
    """

    without_itself = edit("return found", "return found - {start}")
    """The start can be reached from itself, by no edge at all."""

    one_step = edit("    todo.append(other)", "    pass")
    """You follow the edges of the start alone, and not those of the nodes they lead to."""


@exercise("graphs.distances", points=2, difficulty=2)
class DISTANCES:
    """Near nodes come first.

    A node is one edge farther than the one before it.
    """

    from_one = edit("{start: 0}", "{start: 1}")
    """To the start itself it takes no edge: begin with 0."""

    farthest_first = edit("for node in todo:", "while todo:\n    node = todo.pop()")
    """You follow a way to its end before you look at others: a longer way comes first then."""


@exercise("graphs.path", points=2, difficulty=2, needs=("unit2.distances",))
class PATH:
    """Go back from the goal.

    The node before is one edge nearer to the start.
    """

    without_start = edit("return found", "return found[1:]")
    """Your way lacks its first node. It begins at the start."""

    backwards = edit("return found", "return found[::-1]")
    """Your way leads from the goal to the start."""


@exercise("graphs.order", points=2, difficulty=3)
class ORDER:
    """A node may be put in front of all nodes that its edges lead to.

    Visit those first; a node that is there already is left alone.
    """

    at_the_end = edit("found.insert(0, node)", "found.append(node)")
    """Your edges lead backwards: a node belongs before those its edges lead to."""

    as_given = edit("visit(node)\nreturn found", "visit(node)\nreturn list(graph)")
    """You give the nodes as they stand in the graph."""


@exercise("graphs.components", points=2, difficulty=2, needs=("unit2.reachable",))
class COMPONENTS:
    """Let every edge lead both ways.

    What can be reached from a node then is its set.
    """

    one_way = edit("both[other].add(node)", "pass")
    """You follow edges in their own direction alone. Here they connect both ways."""

    again_and_again = edit("if not any(node in each for each in found):", "if True:")
    """The same set is there several times: once for each of its nodes."""


@variant("another order")
class ANOTHER_ORDER:
    @right("graphs.order")
    def order(graph):
        found = []
        left = list(graph)
        while left:
            free = [n for n in left if not any(n in graph[m] for m in left)]
            found += free[::-1]
            left = [n for n in left if n not in free]
        return found

    @right("graphs.path")
    def path(graph, start, goal):
        ways = [[start]]
        for way in ways:
            if way[-1] == goal:
                return way
            ways += [[*way, n] for n in sorted(graph[way[-1]])[::-1]]
        raise ValueError("no way leads to the goal")


CHAPTER = Chapter(
    id="unit2",
    title="Graphs",
    exercises=(DEGREES, REACHABLE, DISTANCES, PATH, ORDER, COMPONENTS),
    variants=(ANOTHER_ORDER,),
)
