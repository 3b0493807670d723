"""What is asked, as data: chapters, exercises, op rows, hints, mistakes, questions."""
