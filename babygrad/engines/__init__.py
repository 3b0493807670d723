"""One idea, built in other ways: each file here is an engine that works alone (chapter 11)."""
