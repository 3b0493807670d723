"""The hidden suites, one folder per chapter, and in `grader/` the project's own tests."""
