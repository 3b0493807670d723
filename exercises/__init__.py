"""The course as data: chapters, exercises, op rows, hints, mistakes, questions."""
