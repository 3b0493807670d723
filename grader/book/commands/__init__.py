"""The commands of the book and its figures: `book`, `demo` and `graph`."""
