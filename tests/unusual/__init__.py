"""Right bodies in unusual words: target → body, chapter by chapter (`test_subtle.py`)."""
