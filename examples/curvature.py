"""Three uses of second derivatives: a ravine, how curved a loss is, and a calm network.

    python examples/curvature.py --package my-course

Newton's method against gradient descent in Rosenbrock's valley. The largest eigenvalue of the
Hessian of a network on two moons, by power iteration, along its training. And a penalty on the
gradient of the input, whose training needs the derivative of a derivative. Nothing of the package
is used but chapters 3, 4 and 13. It leaves a picture, curvature.png, if matplotlib is installed.
"""

from __future__ import annotations

from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package
import pictures

START, VALLEY = (-1.2, 1.0), (1.0, 1.0)
ARRIVED = 1e-6  # of the gradient's largest number
DESCENT_RATE, MOST_STEPS = 0.001, 50_000
HIDDEN, RATE = 16, 0.5
EVERY = 50  # steps from one look at the curvature to the next
PENALTY = 0.01
CALMER = 0.8  # the penalty has to bring the gradient of the input below this share


# ---- a ravine -------------------------------------------------------------------------------


def rosenbrock(p: Any) -> Any:
    """A valley that is bent, steep at its sides and nearly level along its ground."""
    x, y = p[0], p[1]
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


def descend(step: Any) -> list[Any]:
    """The places of a search after each step, until the gradient is next to nothing."""
    from babygrad import Tensor
    from babygrad.higher import grad

    path = [np.array(START)]
    while len(path) <= MOST_STEPS:
        p = Tensor(path[-1], dtype="float64")
        (gradient,) = grad(rosenbrock(p), [p])
        if np.abs(gradient.data).max() < ARRIVED:
            break
        path.append(path[-1] - step(p, gradient.data))
    return path


def ravine() -> pictures.Panel:
    from babygrad.higher import hessian

    newton = descend(lambda p, g: np.linalg.solve(hessian(rosenbrock, p), g))
    descent = descend(lambda p, g: DESCENT_RATE * g)
    print("Rosenbrock's valley, from (-1.2, 1) to its lowest point (1, 1):")
    for name, path in (("Newton's method", newton), ("gradient descent", descent)):
        left = np.linalg.norm(path[-1] - VALLEY)
        print(f"  {name}: {len(path) - 1:,} steps, then {left:.0e} from it")
    if len(newton) * 100 > len(descent):
        raise SystemExit("Newton's method should take a hundredth of the steps, or fewer.")
    return valley(newton, descent)


def valley(newton: list[Any], descent: list[Any]) -> pictures.Panel:
    """Both paths on a map of the valley."""

    def draw(axes: Any) -> None:
        x, y = np.meshgrid(np.linspace(-1.6, 1.6, 120), np.linspace(-0.6, 1.7, 120))
        height = (1 - x) ** 2 + 100 * (y - x * x) ** 2
        axes.contourf(x, y, np.log10(height + 1e-3), levels=20, cmap="Blues", alpha=0.7)
        axes.plot(*np.array(descent).T, color="tab:orange", lw=2, label="gradient descent")
        axes.plot(*np.array(newton).T, "o-", color="tab:red", ms=4, lw=1, label="Newton")
        axes.plot(*VALLEY, "*", color="black", ms=10)
        axes.set(title="a ravine", xlabel="x", ylabel="y", xlim=(-1.6, 1.6), ylim=(-0.6, 1.7))
        axes.legend()

    return draw


# ---- a network on two moons -----------------------------------------------------------------


def moons(rng: np.random.Generator, count: int, noise: float) -> tuple[Any, Any]:
    """Points on two half circles that reach into one another, and a one-hot row for each."""
    label = np.arange(count) % 2
    angle = rng.uniform(0, np.pi, count)
    x = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    x[label == 1] = np.array([1.0, 0.5]) - x[label == 1]
    return x + rng.normal(0, noise, x.shape), np.eye(2)[label]


def network(seed: int) -> list[Any]:
    """The weights of 2-16-2."""
    from babygrad import Tensor

    rng = np.random.default_rng(seed)
    arrays = (
        rng.normal(0, 1, (2, HIDDEN)), np.zeros(HIDDEN),
        rng.normal(0, HIDDEN**-0.5, (HIDDEN, 2)), np.zeros(2),
    )  # fmt: skip
    return [Tensor(array, dtype="float64") for array in arrays]


def scores(x: Any, weights: list[Any]) -> Any:
    from babygrad import ops

    w, b, v, c = weights
    return ops.tanh(x @ w + b) @ v + c


def loss_of(x: Any, y: Any, weights: list[Any]) -> Any:
    """The mean of −log(probability of the right class)."""
    from babygrad import ops

    found = scores(x, weights)
    return (ops.logsumexp(found, 1).sum() - (found * y).sum()) / len(x.data)


def step(loss: Any, weights: list[Any]) -> None:
    for weight in weights:
        weight.grad = None
    loss.backward()
    for weight in weights:
        weight.data = weight.data - RATE * weight.grad


def sharpness(loss: Any, weights: list[Any], vectors: list[Any], rounds: int = 30) -> float:
    """The largest eigenvalue of the Hessian, by power iteration; ``vectors`` are turned to it."""
    from babygrad.higher import constant, hvp

    size = 0.0
    for _ in range(rounds):
        length = np.sqrt(sum((v**2).sum() for v in vectors))
        ways = [v / length for v in vectors]
        found = hvp(loss, weights, [constant(v) for v in ways])
        vectors[:] = [each.data for each in found]
        size = float(sum((v * h).sum() for v, h in zip(ways, vectors, strict=True)))
    return size


def curved(seed: int, steps: int) -> pictures.Panel:
    from babygrad.higher import constant

    rng = np.random.default_rng(seed)
    x, y = map(constant, moons(rng, 200, 0.15))
    weights, sizes = network(seed), []
    vectors = [rng.normal(size=w.shape) for w in weights]
    print(f"\n2-{HIDDEN}-2 on two moons, all points at once, learning rate {RATE}:")
    for number in range(steps + 1):
        loss = loss_of(x, y, weights)
        if number % EVERY == 0:
            sizes.append(sharpness(lambda *each: loss_of(x, y, list(each)), weights, vectors))
            if number % (4 * EVERY) == 0:
                print(f"  step {number:5}  loss {float(loss.data):.4f}  "
                      f"largest eigenvalue {sizes[-1]:6.3f}", flush=True)  # fmt: skip
        step(loss, weights)
    if not 0 < max(sizes) < 2 / RATE:
        raise SystemExit(f"The curvature should stay below 2 / {RATE} = {2 / RATE:g}.")
    print(f"It stays below 2 / {RATE} = {2 / RATE:g}, where a step would overshoot.")
    limit = [2 / RATE] * len(sizes)
    title = f"how curved the loss is, every {EVERY} steps"
    return pictures.curves(title, "look", "eigenvalue", largest=sizes, overshoots_above=limit)


# ---- a calm network -------------------------------------------------------------------------


def slopes(x: Any, weights: list[Any], create_graph: bool = False) -> Any:
    """The gradient of the difference of each point's two scores, with respect to that point."""
    from babygrad.higher import constant, grad

    sign = constant(np.array([[1.0, -1.0]]))
    return grad((scores(x, weights) * sign.broadcast_to((len(x.data), 2))).sum(), [x],
                create_graph=create_graph)[0]  # fmt: skip


def calm(seed: int, steps: int) -> list[pictures.Panel]:
    from babygrad import Tensor
    from babygrad.higher import constant

    rng = np.random.default_rng(seed)
    x, y = moons(rng, 60, 0.25)
    test, truth = moons(rng, 1000, 0.25)
    print("\n60 points, with and without a penalty on the gradient of the input:")
    panels, sizes = [], []
    for strength in (0.0, PENALTY):
        points, weights = Tensor(x, dtype="float64"), network(seed)
        for _ in range(steps):
            loss = loss_of(points, constant(y), weights)
            if strength:
                slope = slopes(points, weights, create_graph=True)
                loss = loss + strength / len(x) * (slope * slope).sum()
            step(loss, weights)
        found = Tensor(test, dtype="float64")
        size = float(np.sqrt((slopes(found, weights).data ** 2).sum(axis=1)).mean())
        right = (scores(found, weights).data.argmax(1) == truth.argmax(1)).mean()
        sizes.append(size)
        print(f"  penalty {strength}: gradient of the input {size:.2f} in the mean, "
              f"{right:.1%} of {len(test)} new points")  # fmt: skip
        panels.append(border(f"penalty {strength}", weights, x, y.argmax(1)))
    if sizes[1] > CALMER * sizes[0]:
        raise SystemExit(f"The penalty should leave at most {CALMER:.0%} of that gradient.")
    print("With the penalty the output changes slowly: the colours fade where they jumped.")
    return panels


def border(title: str, weights: list[Any], x: Any, labels: Any) -> pictures.Panel:
    from babygrad.higher import constant

    def chance(point: list[float]) -> float:
        no, yes = scores(constant(np.array([point])), weights).data[0]
        return float(1 / (1 + np.exp(no - yes)))

    return pictures.boundary(title, chance, x.tolist(), labels.tolist())


def main() -> None:
    options = package.arguments("Three uses of second derivatives.", steps=1000)
    pictures.options(options, "curvature")
    args = options.parse_args()
    package.load(args.package)
    panels = [ravine(), curved(args.seed, args.steps), *calm(args.seed, args.steps)]
    pictures.save(args.plot, *panels)


if __name__ == "__main__":
    package.run(main)
