"""`grader watch`: judge again on every save, from a warm parent, told by file events."""
