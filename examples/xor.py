"""XOR, which no single neuron can learn, learned by a small network on your scalar engine.

python examples/xor.py --package my-course

It leaves a picture, xor.png, if matplotlib is installed; everything else needs only Python.
"""

from __future__ import annotations

import random

import package
import pictures

POINTS = [([0, 0], 0), ([0, 1], 1), ([1, 0], 1), ([1, 1], 0)]
RATE = 1.0


def main() -> None:
    options = package.arguments("Learn XOR with the scalar engine of chapter 1.", steps=300)
    pictures.options(options, "xor")
    args = options.parse_args()
    package.load(args.package)
    from babygrad.scalar import MLP, binary_cross_entropy, zero_grad

    random.seed(args.seed)
    network = MLP([2, 4, 1], output="sigmoid")
    parameters = network.parameters()
    print(f"2-4-1 network, {len(parameters)} parameters, {args.steps} steps")
    targets, losses = [target for _, target in POINTS], []
    for step in range(args.steps):
        zero_grad(parameters)
        loss = binary_cross_entropy([network(x) for x, _ in POINTS], targets)
        loss.backward()
        losses.append(loss.data)
        for parameter in parameters:
            parameter.data -= RATE * parameter.grad
        if step % max(1, args.steps // 10) == 0:
            print(f"step {step:5d}   loss {loss.data:.4f}", flush=True)

    right = 0
    for x, target in POINTS:
        probability = network(x).data
        right += (probability > 0.5) == bool(target)
        print(f"{x[0]} xor {x[1]} = {target}   network: {probability:.3f}")
    pictures.save(
        args.plot,
        pictures.curves("how wrong, step by step", "step", "loss", loss=losses),
        pictures.boundary(
            "the line is where it is undecided", lambda x: network(x).data,
            [x for x, _ in POINTS], targets,
        ),
    )  # fmt: skip
    print("No straight line has the two 0s on one side and the two 1s on the other.")
    print(f"{right} of 4 right")


if __name__ == "__main__":
    package.run(main)
