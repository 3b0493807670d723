"""The hidden suites, a folder per unit."""
