"""The proof that the course holds together: the theorems of the house, one row each."""
