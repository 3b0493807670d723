"""Tell what a class found hard, who wrote alike, and how open answers are marked."""
