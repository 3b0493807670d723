"""Prove that the course is consistent: a table of invariants, and the code that proves each."""
