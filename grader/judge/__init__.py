"""Turn observations into verdicts: compare, blame, diagnose. Imports no NumPy."""
