"""Optimizers: what to do with the gradients once they are there (chapters 5 and 8).

``backward`` says, for every parameter, which way is uphill. An optimizer takes the step
downhill. Everything here works on plain arrays, outside any graph: a parameter's ``data`` is
changed, and no operation is recorded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from .checkpoint import State, require_match  # noqa: F401  (for chapter 8)
from .tensor import NDArray, Tensor

KEPT = (int, float, np.number, np.ndarray)  # the types that an optimizer's state consists of


def gradient_of(parameter: Tensor) -> NDArray | None:
    """The gradient of a parameter as an ndarray; None where none has arrived.

    Given. It serves packages whose ``backward`` leaves Tensors in ``grad``, too.
    """
    grad = parameter.grad
    return grad.data if isinstance(grad, Tensor) else grad


class Optimizer:
    """The base of all optimizers: the parameters, the learning rate, and forgetting gradients.

    Attributes:
        parameters: a list of the Tensors to train.
        lr: the learning rate, a number. ``step`` reads it again each time, so you can change it
            between two steps.
    """

    def __init__(self, parameters: Iterable[Tensor], lr: float) -> None:
        """Keep the parameters and the learning rate.

        Args:
            parameters: any iterable of Tensors, a generator too. ``self.parameters`` becomes
                a list of these very Tensors in the order given. A Tensor that occurs twice,
                as shared weights do, is kept once, at its first place; two Tensors that
                merely hold equal values are two parameters.
            lr: kept as ``self.lr``. A rate of 0 is allowed: then nothing moves, for a while.

        Raises:
            ValueError: there is no parameter, or ``lr`` is negative.
        """
        ### BEGIN SOLUTION
        # Tensors hash by identity, and a dict keeps the order: each one once, first place wins.
        self.parameters = list(dict.fromkeys(parameters))
        self.lr = lr
        if not self.parameters:
            raise ValueError("There is nothing to train: the optimizer got no parameters.")
        if lr < 0:
            raise ValueError(f"A learning rate cannot be negative; this one is {lr}.")
        ### END SOLUTION

    def zero_grad(self) -> None:
        """Forget the gradients: set ``grad`` of every parameter to None. Values stay."""
        ### BEGIN SOLUTION
        for parameter in self.parameters:
            parameter.grad = None
        ### END SOLUTION

    def step(self) -> None:
        """Move every parameter by its gradient. Each optimizer has its own rule."""
        raise NotImplementedError

    def state_dict(self) -> State:
        """The state of the optimizer: settings, memory and counters (chapter 8).

        Every attribute that is a number or an ndarray (one of the types in ``KEPT``) is stored
        under its name: ``lr``. An item of an attribute that is a list or a tuple is stored under
        that name, a dot, and its number, counted from 0: ``velocities.2``, ``betas.0``. Everything
        else is left out; so are the parameters, which are Tensors and belong to the model. Every
        value is an ndarray that is a copy, a number one of shape ``()``: later steps do not change
        the state.
        """
        ### BEGIN SOLUTION
        state: State = {}

        def visit(value: Any, path: str) -> None:
            if isinstance(value, (list, tuple)):
                for number, item in enumerate(value):
                    visit(item, f"{path}.{number}")
            elif isinstance(value, KEPT):
                state[path] = np.array(value)

        for name, value in vars(self).items():
            visit(value, name)
        return state
        ### END SOLUTION

    def load_state_dict(self, state: Mapping[str, NDArray]) -> None:
        """Take over settings, memory and counters, as ``state_dict`` gave them (chapter 8).

        Numbers become plain numbers again, arrays arrays of the dtype that they had in this
        optimizer, lists stay lists and tuples tuples. The state wins: an ``lr`` in it replaces
        the one that this optimizer was made with. Arrays are copied, the state stays as it was,
        and what is neither a number nor an array is left alone; so are the parameters.

        Raises:
            ValueError: names are missing, unexpected, or have another shape; ``require_match``
                says which. Nothing is loaded then.
        """
        ### BEGIN SOLUTION
        require_match(self.state_dict(), state)

        def renewed(value: Any, path: str) -> Any:
            if isinstance(value, (list, tuple)):
                return type(value)(renewed(v, f"{path}.{i}") for i, v in enumerate(value))
            if isinstance(value, np.ndarray):
                return np.array(state[path], dtype=value.dtype)
            # `item` makes a plain number; `int(…)` for a number that was whole would round.
            return np.asarray(state[path]).item() if isinstance(value, KEPT) else value

        for name, value in list(vars(self).items()):
            setattr(self, name, renewed(value, name))
        ### END SOLUTION


class SGD(Optimizer):
    """Gradient descent, with momentum and weight decay.

    Attributes:
        momentum: how much of the velocity is kept from step to step; 0 for none of it.
        weight_decay: how strongly every value is pulled towards 0; 0 for not at all.
        velocities: a list with one array per parameter.
    """

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float = 0.01,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
    ) -> None:
        """Keep the settings, and a velocity of zeros for each parameter.

        ``self.momentum`` and ``self.weight_decay`` hold the settings; the base class keeps
        parameters and lr. ``self.velocities`` is a list with one array of zeros per parameter,
        of its shape and dtype.
        """
        ### BEGIN SOLUTION
        super().__init__(parameters, lr)
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.velocities = [np.zeros_like(parameter.data) for parameter in self.parameters]
        ### END SOLUTION

    def step(self) -> None:
        """Move every parameter p that has a gradient g, with its velocity v::

            g ← g + weight_decay · p
            v ← momentum · v + g
            p ← p − lr · v

        The Tensor stays the same object and its ``data`` changes, in place or for a new array
        of the same shape and dtype: a float32 parameter stays float32. A parameter whose
        ``grad`` is None is skipped: neither it nor its velocity changes, and the others move.
        Gradients are read, never written: every ``grad`` holds afterwards what it held before.
        With momentum 0, v is g, and nothing has to be remembered.

        Source: Polyak 1964 (momentum); the form is that of Sutskever et al. 2013 with the
        learning rate outside the velocity, as in ``torch.optim.SGD``.
        """
        ### BEGIN SOLUTION
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                continue
            if self.weight_decay:
                gradient = gradient + self.weight_decay * parameter.data
            if self.momentum:
                velocity = self.velocities[i]
                velocity *= self.momentum
                velocity += gradient
                gradient = velocity
            parameter.data -= self.lr * gradient
        ### END SOLUTION


class Adam(Optimizer):
    """A separate step size for each value, from running means of g and of g².

    Attributes:
        betas: how slowly the two running means forget, ``(beta1, beta2)``.
        eps: keeps the division from blowing up where gradients are tiny.
        weight_decay: how strongly every value is pulled towards 0; 0 for not at all.
        first_moments: a list with the running mean of g, one array per parameter.
        second_moments: a list with the running mean of g², one array per parameter.
        steps: a list that counts, per parameter, how often it has been moved.
    """

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        """Keep the settings, and for each parameter two running means and a counter.

        ``self.betas``, ``self.eps`` and ``self.weight_decay`` hold the settings; the base class
        keeps parameters and lr. ``self.first_moments`` and ``self.second_moments`` are lists
        with one array of zeros per parameter, of its shape and dtype. ``self.steps`` is a list
        with one 0 per parameter.
        """
        ### BEGIN SOLUTION
        super().__init__(parameters, lr)
        # Plain numbers: one of NumPy's, such as np.float64, makes float64 of float32.
        self.betas = float(betas[0]), float(betas[1])
        self.eps = float(eps)
        self.weight_decay = float(weight_decay)
        self.first_moments = [np.zeros_like(parameter.data) for parameter in self.parameters]
        self.second_moments = [np.zeros_like(parameter.data) for parameter in self.parameters]
        self.steps = [0] * len(self.parameters)
        ### END SOLUTION

    def direction(self, i: int, gradient: NDArray) -> NDArray:
        """Take in one gradient g of parameter number ``i``; return which way it should move::

            t ← t + 1
            m ← beta1 · m + (1 − beta1) · g
            v ← beta2 · v + (1 − beta2) · g²
            m̂ = m / (1 − beta1ᵗ)        v̂ = v / (1 − beta2ᵗ)
            return m̂ / (√v̂ + eps)

        t, m and v are those of parameter ``i`` alone. The result is an ndarray of g's shape
        and dtype; the learning rate is not in it, and ``gradient`` stays as it was.

        Source: Kingma and Ba 2015, algorithm 1.
        """
        ### BEGIN SOLUTION
        beta1, beta2 = self.betas
        self.steps[i] += 1
        t = self.steps[i]
        m = beta1 * self.first_moments[i] + (1 - beta1) * gradient
        v = beta2 * self.second_moments[i] + (1 - beta2) * gradient**2
        self.first_moments[i], self.second_moments[i] = m, v
        # Both means started from 0 and are too small by exactly these factors.
        unbiased_m = m / (1 - beta1**t)
        unbiased_v = v / (1 - beta2**t)
        return unbiased_m / (np.sqrt(unbiased_v) + self.eps)
        ### END SOLUTION

    def step(self) -> None:
        """Move every parameter p that has a gradient g::

            g ← g + weight_decay · p
            p ← p − lr · direction(i, g)

        As in ``SGD.step``, the Tensor stays the same object and keeps its dtype, a parameter
        whose ``grad`` is None is skipped (its means and its counter too), and gradients are
        read, never written.
        """
        ### BEGIN SOLUTION
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                continue
            gradient = gradient + self.weight_decay * parameter.data
            parameter.data -= self.lr * self.direction(i, gradient)
        ### END SOLUTION


class AdamW(Adam):
    """Adam with decoupled weight decay: the pull towards 0 does not go through the means."""

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        """The same settings as Adam's; only the default of ``weight_decay`` differs."""
        super().__init__(parameters, lr, betas, eps, weight_decay)

    def step(self) -> None:
        """Move every parameter p that has a gradient g::

            p ← p − lr · weight_decay · p
            p ← p − lr · direction(i, g)

        The gradient goes into ``direction`` without any weight decay in it. The rest is as in
        ``Adam.step``: a parameter whose ``grad`` is None is skipped, and does not decay either.

        Source: Loshchilov and Hutter 2019, with the decay scaled by lr as in
        ``torch.optim.AdamW``.
        """
        ### BEGIN SOLUTION
        for i, parameter in enumerate(self.parameters):
            gradient = gradient_of(parameter)
            if gradient is None:
                continue
            parameter.data -= self.lr * self.weight_decay * parameter.data
            parameter.data -= self.lr * self.direction(i, gradient)
        ### END SOLUTION


def clip_grad_norm(parameters: Iterable[Tensor], max_norm: float) -> float:
    """Scale all gradients by one common factor, so that together they are no longer than max_norm.

    Args:
        parameters: any iterable of Tensors, a generator too. Parameters whose ``grad`` is None
            are left out.
        max_norm: the greatest length that the gradients may have, a positive number.

    Returns:
        The total norm as it was before clipping, a float: the root of the sum of the squares of
        all values of all gradients; 0.0 where there is no gradient.

    If the total norm is greater than ``max_norm``, every gradient is multiplied by
    ``max_norm / total``. Otherwise gradients stay as they are. ``grad`` may be scaled in place or
    replaced by a new array of the same shape and dtype.

    Source: Pascanu, Mikolov and Bengio 2013, algorithm 1.
    """
    ### BEGIN SOLUTION
    # A list, because there are two walks: one to measure, one to scale.
    found = [(parameter, gradient_of(parameter)) for parameter in parameters]
    trained = [(parameter, g) for parameter, g in found if g is not None]
    total = math.sqrt(sum(float(np.sum(g.astype("float64") ** 2)) for _, g in trained))
    if total > max_norm:
        for parameter, g in trained:
            parameter.grad = g * float(max_norm / total)
    return total
    ### END SOLUTION


# ---- learning rates that change ---------------------------------------------------------


def step_decay(t: int, lr: float, every: int, factor: float = 0.1) -> float:
    """The learning rate for step ``t`` (counted from 0): lr times factor, once per ``every`` steps.

    Steps 0 … every − 1 have ``lr``, the next ``every`` steps have ``lr · factor``, the next
    ``lr · factor²``, and so on.
    """
    ### BEGIN SOLUTION
    return lr * factor ** (t // every)
    ### END SOLUTION


def warmup_cosine(t: int, lr: float, warmup: int, total: int, lowest: float = 0.0) -> float:
    """The learning rate for step ``t`` (counted from 0): a straight line up, half a cosine down.

    In the first ``warmup`` steps it is ``lr · (t + 1) / warmup``: never 0, and ``lr`` in the
    last of them. From step ``warmup`` on it is
    ``lowest + (lr − lowest) · (1 + cos(π · done)) / 2`` where ``done``, the share of the way
    from step ``warmup`` to step ``total``, goes from 0 to 1. From step ``total`` on it stays at
    ``lowest``. ``total`` is greater than ``warmup``; with ``warmup=0`` there is no line up.

    Source: Loshchilov and Hutter 2017, equation 5, without restarts.
    """
    ### BEGIN SOLUTION
    if t < warmup:
        return lr * (t + 1) / warmup
    done = min(1.0, (t - warmup) / (total - warmup))
    return lowest + (lr - lowest) * (1 + math.cos(math.pi * done)) / 2
    ### END SOLUTION


class Scheduler:
    """Gives an optimizer the learning rate of the step that comes next.

    Attributes:
        optimizer: whose ``lr`` is set.
        schedule: a function from a step number, counted from 0, to a learning rate.
        t: the number of the step that comes next.
    """

    def __init__(self, optimizer: Optimizer, schedule: Callable[[int], float]) -> None:
        """Keep both, start at ``t = 0``, and set ``optimizer.lr`` to ``schedule(0)`` at once.

        The optimizer needs nothing but an ``lr``.
        """
        ### BEGIN SOLUTION
        self.optimizer = optimizer
        self.schedule = schedule
        self.t = 0
        optimizer.lr = schedule(0)
        ### END SOLUTION

    def step(self) -> None:
        """Call after each ``optimizer.step()``: add 1 to ``t``, and set ``optimizer.lr``.

        The new rate is ``schedule(t)`` and nothing else: what ``optimizer.lr`` was before does not
        matter.
        """
        ### BEGIN SOLUTION
        self.t += 1
        self.optimizer.lr = self.schedule(self.t)
        ### END SOLUTION
