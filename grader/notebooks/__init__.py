"""Answers in notebooks: read them from cells, and show there what the grader says."""
