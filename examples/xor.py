"""XOR, which no single neuron can learn, learned by a small network on your scalar engine.

python examples/xor.py --package my-course
"""

from __future__ import annotations

import random

import package

POINTS = [([0, 0], 0), ([0, 1], 1), ([1, 0], 1), ([1, 1], 0)]
RATE = 1.0


def main() -> None:
    options = package.arguments("Learn XOR with the scalar engine of chapter 1.", steps=300)
    args = options.parse_args()
    package.load(args.package)
    from babygrad.scalar import MLP, binary_cross_entropy, zero_grad

    random.seed(args.seed)
    network = MLP([2, 4, 1], output="sigmoid")
    parameters = network.parameters()
    print(f"2-4-1 network, {len(parameters)} parameters, {args.steps} steps")
    targets = [target for _, target in POINTS]
    for step in range(args.steps):
        zero_grad(parameters)
        loss = binary_cross_entropy([network(x) for x, _ in POINTS], targets)
        loss.backward()
        for parameter in parameters:
            parameter.data -= RATE * parameter.grad
        if step % max(1, args.steps // 10) == 0:
            print(f"step {step:5d}   loss {loss.data:.4f}", flush=True)

    right = 0
    for x, target in POINTS:
        probability = network(x).data
        right += (probability > 0.5) == bool(target)
        print(f"{x[0]} xor {x[1]} = {target}   network: {probability:.3f}")
    print(f"{right} of 4 right")


if __name__ == "__main__":
    package.run(main)
