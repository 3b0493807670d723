"""Your judge, let loose: a gallery of small engines with one mistake each, and your own chapter 3.

    python examples/gallery.py --package my-course

Each engine of `gallery_engines.py` computes the right values, and its gradients are right but for
one mistake. To a judge an engine that computes a whole expression is one op: it has a forward and a
backward, and so `check_rule` and `check_everywhere` can be asked. Four judges as people write them
in ten minutes look at the same engines. It leaves a picture, gallery.png, if matplotlib is
installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package
import pictures
from gallery_engines import SLIPS, UNSEEN, Engine, Node

EVERYWHERE: tuple[tuple[int, ...], ...] = ()  # no shapes of its own: any will do


# ---- what they are asked ------------------------------------------------------------------------


class Expression(NamedTuple):
    """Something that an engine computes, and the shapes that it is asked with."""

    text: str
    of: Callable[..., Node]
    count: int
    shapes: tuple[tuple[int, ...], ...] = EVERYWHERE


def shared(e: Engine, a: Node, b: Node) -> Node:
    """One value that is used three times, first where it is nearest."""
    y = e.mul(a, b)
    return e.add(y, e.mul(y, y))


EXPRESSIONS = (
    Expression("tanh(w·x + b)", lambda e, w, x, b: e.tanh(e.add(e.mul(w, x), b)), 3),
    Expression("exp(a) / b", lambda e, a, b: e.div(e.exp(a), b), 2),
    Expression("a³ + relu(a)", lambda e, a: e.add(e.cube(a), e.relu(a)), 1),
    Expression("tanh(a)", lambda e, a: e.tanh(a), 1),
    Expression("y + y·y, y = a·b", shared, 2),
    Expression("x @ w + b", lambda e, x, w, b: e.add(e.matmul(x, w), b), 3, ((2, 3), (3, 3), (3,))),
    Expression("a + column", lambda e, a, c: e.add(a, c), 2, ((3, 4), (3, 1))),
    Expression("mean(a)", lambda e, a: e.mean(a), 1, ((4, 3),)),
    Expression("softmax(a)", lambda e, a: e.softmax(a), 1, ((2, 3),)),
)  # fmt: skip


def as_op(engine: type[Engine], expression: Expression) -> Any:
    """An engine that computes an expression, as an op of your package."""
    from babygrad import Tensor, ops

    class Foreign(ops.Function):
        def forward(self, *arrays: Any) -> Any:
            return expression.of(engine(), *map(Node, arrays)).data

        def backward(self, out_grad: Any, node: Any) -> tuple[Any, ...]:
            leaves = [Node(each.data) for each in node._inputs]
            running = engine()
            running.backward(expression.of(running, *leaves), out_grad.data)
            return tuple(Tensor(leaf.grad, dtype="float64") for leaf in leaves)

    return Foreign()


# ---- who judges ---------------------------------------------------------------------------------

Judge = Callable[[type[Engine], Expression, np.random.Generator], bool]


def yours(engine: type[Engine], expression: Expression, rng: np.random.Generator) -> bool:
    """Whether `check_everywhere`, or `check_rule` where the shapes are given, accepts it."""
    from babygrad.checking import WrongRule, check_everywhere, check_rule

    try:
        if expression.shapes is EVERYWHERE:
            check_everywhere(lambda: as_op(engine, expression), expression.count, rng)
        else:
            check_rule(as_op(engine, expression), drawn(expression, rng), rng)
    except WrongRule:
        return False
    return True


def typical(cotangent: Callable[[np.random.Generator, Any], Any], tolerance: float) -> Judge:
    """A judge as one writes it in ten minutes: one shape, `np.allclose`."""

    def accepts(engine: type[Engine], expression: Expression, rng: np.random.Generator) -> bool:
        from babygrad import Tensor
        from babygrad.checking import numeric_vjp

        op, arrays = as_op(engine, expression), drawn(expression, rng)
        out = op(*(Tensor(array, dtype="float64") for array in arrays))
        v = cotangent(rng, out.shape)
        found = op.backward(Tensor(v, dtype="float64"), out)
        right = numeric_vjp(op.forward, arrays, v)
        return all(
            np.allclose(g.data, n, rtol=tolerance, atol=tolerance)
            for g, n in zip(found, right, strict=True)
        )

    return accepts


def drawn(expression: Expression, rng: np.random.Generator) -> list[Any]:
    shapes = expression.shapes or ((2, 3),) * expression.count
    return [rng.uniform(0.3, 1.2, shape) for shape in shapes]


def ones(rng: np.random.Generator, shape: Any) -> Any:
    return np.ones(shape)


def normal(rng: np.random.Generator, shape: Any) -> Any:
    return rng.normal(size=shape)


JUDGES: dict[str, Judge] = {
    "ones, 1e-2": typical(ones, 1e-2), "ones, 1e-6": typical(ones, 1e-6),
    "random, 1e-2": typical(normal, 1e-2), "random, 1e-6": typical(normal, 1e-6),
    "yours": yours,
}  # fmt: skip


# ---- the tour -----------------------------------------------------------------------------------


def tour(seed: int) -> dict[str, list[list[bool]]]:
    """Judge → a row for each engine with a mistake, and in it whether each expression shows it."""
    seen = {}
    for name, judge in JUDGES.items():
        rng = np.random.default_rng(seed)
        rejected = [x.text for x in EXPRESSIONS if not judge(Engine, x, rng)]
        seen[name] = [[not judge(slip, x, rng) for x in EXPRESSIONS] for slip in SLIPS]
        missed = [s.__name__ for s, row in zip(SLIPS, seen[name], strict=True) if not any(row)]
        print(f"{name:13} finds {len(SLIPS) - len(missed)} of {len(SLIPS)} engines, rejects "
              f"{len(rejected)} right ones", *(f"    not {each}" for each in missed),
              sep="\n")  # fmt: skip
        if name == "yours" and rejected:
            raise SystemExit(f"Your judge rejects a right engine: {', '.join(rejected)}.")
    return seen


def told(rows: list[list[bool]]) -> Iterator[str]:
    """Say where each mistake was found, a line for each engine."""
    for slip, row in zip(SLIPS, rows, strict=True):
        where = [x.text for x, found in zip(EXPRESSIONS, row, strict=True) if found]
        yield f"  {slip.__name__:20} {'shown by ' + where[0] if where else 'by nothing'}"


def chapter3(seed: int) -> int:
    """`check_everywhere` of your own ops that take any shape: how many there were."""
    from babygrad import ops
    from babygrad.checking import WrongRule, check_everywhere

    makers = [(ops.Add, 2), (ops.Sub, 2), (ops.Mul, 2), (ops.Div, 2), (ops.Negate, 1),
              (ops.Exp, 1), (ops.ReLU, 1), (ops.Abs, 1), (ops.Sigmoid, 1), (ops.Tanh, 1),
              (lambda: ops.MulScalar(3.0), 1), (lambda: ops.DivScalar(3.0), 1),
              (lambda: ops.PowerScalar(3), 1), (lambda: ops.PowerScalar(-2), 1)]  # fmt: skip
    rng = np.random.default_rng(seed)
    for make, count in makers:
        try:
            check_everywhere(make, count, rng)
        except WrongRule as wrong:
            raise SystemExit(
                f"Your judge finds a mistake in your own {type(make()).__name__}: {wrong}."
            ) from None
    return len(makers)


def map_of(rows: list[list[bool]]) -> pictures.Panel:
    """Draw the expressions that show each mistake."""

    def draw(axes: Any) -> None:
        axes.imshow(np.array(rows, dtype=float), cmap="Oranges", vmin=0, vmax=1.4, aspect="auto")
        axes.set(title="what your judge finds where", xticks=range(len(EXPRESSIONS)),
                 yticks=range(len(SLIPS)))  # fmt: skip
        axes.set_xticklabels([x.text for x in EXPRESSIONS], rotation=35, ha="right", fontsize=6)
        axes.set_yticklabels([slip.__name__ for slip in SLIPS], fontsize=6)

    return draw


def counted(seen: dict[str, list[list[bool]]]) -> pictures.Panel:
    """Draw how many engines each judge finds."""

    def draw(axes: Any) -> None:
        names = list(seen)
        counts = [sum(map(any, rows)) for rows in seen.values()]
        axes.barh(names, counts, color=["tab:gray"] * (len(names) - 1) + ["tab:orange"])
        axes.axvline(len(SLIPS), color="tab:red", ls="--")
        axes.set(title="engines found", xlim=(0, len(SLIPS) + 1))
        axes.invert_yaxis()

    return draw


def main() -> None:
    options = package.arguments("Your judge and a gallery of engines with one mistake each.")
    pictures.options(options, "gallery")
    args = options.parse_args()
    package.load(args.package)
    seen = tour(args.seed)
    print("\nWhat shows them to yours:")
    print("\n".join(told(seen["yours"])))
    rng = np.random.default_rng(args.seed)
    unseen = [s.__name__ for s in UNSEEN if all(yours(s, x, rng) for x in EXPRESSIONS)]
    print(f"Accepted all the same: {', '.join(unseen)}. At a kink a slope is a convention, and "
          "what is\nright to seven digits is right, as far as a difference can see.")  # fmt: skip
    print(f"\nYour own chapter 3: no mistake found in {chapter3(args.seed)} ops.")
    found = sum(map(any, seen["yours"]))
    if found < len(SLIPS):
        raise SystemExit("Your judge must find the mistake of every engine.")
    print(f"\nYours finds {found / len(SLIPS):.0%} of the gallery.")
    pictures.save(args.plot, map_of(seen["yours"]), counted(seen))


if __name__ == "__main__":
    package.run(main)
