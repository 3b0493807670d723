"""What only instructors need; learners' commands import nothing from here."""
