"""What a graph holds, and how to compute without one."""

from grader.course import Exercise, Mistake

SIZE = Exercise(
    "chapter13.graph_size",
    section="13.6",
    targets=("memory.graph_size",),
    points=1,
    minutes=5,
    hints=("`topological_order(root)` has every Tensor of the graph, each once. A Tensor has a "
           "`size`.",),
    mistakes=(
        Mistake(
            "without-leaves",
            "nodes = [n for n in topological_order(root) if n._op is not None]\n"
            "return len(nodes), sum(n.size for n in nodes)",
            "You left out the leaves. They are kept alive by the graph, too.",
        ),
        Mistake(
            "every-path",
            "count, numbers = 1, root.size\nfor source in root._inputs:\n"
            "    more, size = graph_size(source)\n"
            "    count, numbers = count + more, numbers + size\n"
            "return count, numbers",
            "You count a Tensor once for every path that leads to it. It is there once.",
        ),
        Mistake(
            "without-the-root",
            "nodes = topological_order(root)[:-1]\n"
            "return len(nodes), sum(n.size for n in nodes)",
            "You left out `root` itself.",
        ),
        Mistake(
            "lengths",
            "nodes = topological_order(root)\n"
            "return len(nodes), sum(n.shape[0] if n.shape else 1 for n in nodes)",
            "You counted the first axis only. A Tensor of shape (2, 3) holds 6 numbers.",
        ),
    ),
)  # fmt: skip

ENTER, EXIT = "memory.no_grad.__enter__", "memory.no_grad.__exit__"

NO_GRAD = Exercise(
    "chapter13.no_grad",
    section="13.6",
    targets=(ENTER, EXIT),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "`self.before = Function.__call__` remembers, `Function.__call__ = without_graph` changes. "
        "What undoes it?",
        "Each block has an object of its own, and so its own `self.before`: that is why blocks "
        "can stand inside one another. Python calls `__exit__` after an exception, too.",
    ),
    mistakes=(
        Mistake(
            "not-put-back",
            "pass",
            "After the block graphs are still not made: nothing was put back.",
            target=EXIT,
        ),
        Mistake(
            "swallows",
            "Function.__call__ = self.before\nreturn True",
            "You return True from `__exit__`, and that swallows the exception. Whoever made a "
            "mistake in the block never hears of it.",
            target=EXIT,
        ),
        Mistake(
            "only-without-error",
            "if not error or error[0] is None:\n    Function.__call__ = self.before",
            "You put it back only where all went well. After an exception the whole program would "
            "go on without graphs.",
            target=EXIT,
        ),
        Mistake(
            "nothing-replaced",
            "self.before = Function.__call__",
            "You remember what stands there, but put nothing in its place: graphs are still made.",
        ),
        Mistake(
            "remembered-once",
            "type(self).before = Function.__call__\nFunction.__call__ = without_graph",
            "You remember it on the class, one place for all blocks: an inner block overwrites "
            "what the outer one had remembered. Keep it on `self`.",
        ),
    ),
)
