"""The memory that a graph holds, and computing without a graph."""

from grader.course import body, edit, exercise, mistake


@exercise("memory.graph_size", points=1)
class SIZE:
    """`topological_order(root)` has every Tensor of the graph, each once. A Tensor has a `size`."""

    def without_leaves(root):
        """You left out the leaves. They are kept alive by the graph, too."""
        nodes = [n for n in topological_order(root) if n._op is not None]
        return len(nodes), sum(n.size for n in nodes)

    def every_path(root):
        """You count a Tensor once for every path that leads to it. It is there once."""
        count, numbers = 1, root.size
        for source in root._inputs:
            more, size = graph_size(source)
            count, numbers = count + more, numbers + size
        return count, numbers

    def without_the_root(root):
        """You left out `root` itself."""
        nodes = topological_order(root)[:-1]
        return len(nodes), sum(n.size for n in nodes)

    lengths = edit("node.size for node", "n.shape[0] if n.shape else 1 for n")
    """You counted the first axis only. A Tensor of shape (2, 3) holds 6 numbers."""


ENTER, EXIT = "memory.no_grad.__enter__", "memory.no_grad.__exit__"


@exercise("chapter13.no_grad", targets=(ENTER, EXIT), points=2)
class NO_GRAD:
    """`self.before = Function.__call__` remembers, `Function.__call__ = without_graph` changes.
    What undoes it?

    Each block has its own object, and so its own `self.before`: that is why you can nest blocks.
    Python calls `__exit__` after an exception, too.
    """

    not_put_back = body("pass", target="memory.no_grad.__exit__")
    """After the block, still no graphs are made: you put nothing back."""

    @mistake(target="memory.no_grad.__exit__")
    def swallows(self, *error):
        """You return True from `__exit__`, and that swallows the exception: a mistake inside the
        block goes unnoticed."""
        Function.__call__, self.before = self.before
        return True

    @mistake(target="memory.no_grad.__exit__")
    def only_without_error(self, *error):
        """You put it back only if all went well. After an exception the whole program would go on
        without graphs."""
        if not error or error[0] is None:
            Function.__call__, self.before = self.before

    nothing_replaced = body('self.before = Function.__call__, getattr(self, "before", None)')
    """You remember what is there, but put nothing in its place: graphs are still made."""

    remembered_once = edit("self.before", "type(self).before")
    """You remember it on the class, one place for all blocks: an inner block overwrites what the
    outer one had remembered. Keep it on `self`."""
