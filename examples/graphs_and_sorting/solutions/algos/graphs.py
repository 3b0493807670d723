"""Unit 2: graphs. A graph is a dict: each node, a text, and the list of nodes it has edges to."""


def degrees(graph):
    """A dict: for each node, how many edges lead to it or away from it."""
    ### BEGIN SOLUTION
    found = {node: len(graph[node]) for node in graph}
    for node in graph:
        for other in graph[node]:
            found[other] += 1
    return found
    ### END SOLUTION


def reachable(graph, start):
    """The set of all nodes that edges lead to from the start, itself among them."""
    ### BEGIN SOLUTION
    found, todo = {start}, [start]
    while todo:
        for other in graph[todo.pop()]:
            if other not in found:
                found.add(other)
                todo.append(other)
    return found
    ### END SOLUTION


def distances(graph, start):
    """A dict: for each node that can be reached, the fewest edges on a way to it."""
    ### BEGIN SOLUTION
    found, todo = {start: 0}, [start]
    for node in todo:
        for other in graph[node]:
            if other not in found:
                found[other] = found[node] + 1
                todo.append(other)
    return found
    ### END SOLUTION


def path(graph, start, goal):
    """A list of nodes from start to goal, each with an edge to the next, as few as possible.

    Where there are several, any of them. The goal can be reached.
    """
    ### BEGIN SOLUTION
    far = distances(graph, start)
    found = [goal]
    while found[0] != start:
        before = (n for n in far if far[n] == far[found[0]] - 1 and found[0] in graph[n])
        found.insert(0, next(before))
    return found
    ### END SOLUTION


def order(graph):
    """All nodes in a list, so that every edge leads forward; of several such orders, any.

    No edges lead round in a circle.
    """
    ### BEGIN SOLUTION
    found = []

    def visit(node):
        if node not in found:
            for other in graph[node]:
                visit(other)
            found.insert(0, node)

    for node in graph:
        visit(node)
    return found
    ### END SOLUTION


def components(graph):
    """A list of sets: nodes are in one set if edges connect them, whichever way they lead."""
    ### BEGIN SOLUTION
    both = {node: set(graph[node]) for node in graph}
    for node in graph:
        for other in graph[node]:
            both[other].add(node)
    found = []
    for node in graph:
        if not any(node in each for each in found):
            found.append(reachable(both, node))
    return found
    ### END SOLUTION
