"""The hidden suites."""
