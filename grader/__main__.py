"""`python -m grader`."""

from .cli import main

main()
