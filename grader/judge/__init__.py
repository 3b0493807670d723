"""From observations to verdicts: compares, blames, diagnoses. Imports no NumPy."""
