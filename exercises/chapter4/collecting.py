"""`collect`: the search through a module that everything else rests on."""

from grader.course import edit, exercise, instead


@exercise("nn.collect", points=3, needs=("chapter4.parameter.init",))
class COLLECT:
    """This is a walk through a graph, as in `Tensor.backward`: visit a thing, then visit what it
    holds. A set of `id(thing)` says where you have been.

    What does a thing hold? A Module: `vars(thing).values()`. A dict: its values. A list or tuple:
    its items. Anything else: nothing.

    Write an inner function `visit(thing)`: return at once if you have seen it, record it if it's of
    the right kind, then call `visit` for everything that it holds.
    """

    def attributes_only(value, kind):
        """You look at the attributes of modules, but not into lists, tuples and dicts. The layers
        of a network are usually in one of these."""
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

    def no_lists(value, kind):
        """You look into tuples and dicts, but not into lists."""
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
                thing = tuple(thing.values())
            if isinstance(thing, tuple):
                for item in thing:
                    visit(item)

        visit(value)
        return found

    def modules_in_lists_only(value, kind):
        """Of what lists and tuples hold you take the modules alone. A Parameter in a list, or a
        list in a list, is missed."""
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
                for item in thing.values():
                    visit(item)
            elif isinstance(thing, (list, tuple)):
                for item in thing:
                    if isinstance(item, Module):
                        visit(item)

        visit(value)
        return found

    no_tuples = edit("(list, tuple)", "list")
    """You look into lists, but not into tuples. `Sequential` keeps its layers in a tuple."""

    @instead("thing = vars(thing)", "thing = list(thing.values())")
    def no_dicts(thing):
        """You don't look into dicts: you miss what their values hold."""
        thing = list(vars(thing).values())

    not_nested = edit("isinstance(thing, Module)", "thing is value")
    """You look into the outermost module only. The modules in it hold parameters too."""

    def counted_twice(value, kind):
        """A parameter that two attributes hold is listed twice; the optimizer would take two steps
        with it. Remember which objects you have met, parameters too."""
        found = []
        seen = set()

        def visit(thing):
            if isinstance(thing, kind):
                found.append(thing)
            if isinstance(thing, Module):
                if id(thing) in seen:
                    return
                seen.add(id(thing))
                thing = vars(thing)
            if isinstance(thing, dict):
                thing = list(thing.values())
            if isinstance(thing, (list, tuple)):
                for item in thing:
                    visit(item)

        visit(value)
        return found

    @instead("if isinstance(thing, kind):", "thing = vars(thing)", of=counted_twice)
    def endless(thing, kind, found):
        """Each object is listed once, but it is searched again whenever you meet it: two modules
        that hold each other keep you going round forever."""
        if isinstance(thing, kind):
            if not any(thing is each for each in found):
                found.append(thing)
        if isinstance(thing, Module):
            thing = vars(thing)

    not_itself = edit("[value]", "list(vars(value).values())")
    """The outer object itself is left out, although it is of the right kind. The search begins with
    `value`."""
