"""Writes a failing call down as a script that needs the learner's package and NumPy only."""
