"""The hidden suite of chapter 1."""
