"""How many examples a quick property test draws."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Few, since there are many such tests; with no deadline, since a busy machine is no failure; and
# a fixture that is shared by all examples is meant to be.
SOME = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
