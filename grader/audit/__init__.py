"""Prove that the course is consistent: a table of theorems, and the code that proves each."""
