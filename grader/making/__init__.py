"""Makes the answer key: exercises + tests + solutions, asked of every oracle."""
