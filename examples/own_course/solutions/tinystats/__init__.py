"""A few numbers that describe many."""

from .describe import mean, standardize, variance
from .relate import Running, correlation, covariance

__all__ = ["Running", "correlation", "covariance", "mean", "standardize", "variance"]
