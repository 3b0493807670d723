"""babygrad: a small automatic differentiation library, built chapter by chapter."""

from . import ops
from .tensor import NDArray, Tensor

__all__ = ["NDArray", "Tensor", "ops"]
