"""Right bodies in unusual words, chapter by chapter (`test_subtle.py`)."""
