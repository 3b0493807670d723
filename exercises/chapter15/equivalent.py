"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {}
