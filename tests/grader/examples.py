"""The number of examples that a quick property test draws."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# For every generated test: no clock has a say, since a busy machine is no failure; and a fixture
# that is shared by all examples is meant to be.
UNHURRIED = "unhurried"
IGNORED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile(UNHURRIED, deadline=None, suppress_health_check=IGNORED)
settings.load_profile(UNHURRIED)

SOME = settings(max_examples=40)  # few, since there are many such tests
