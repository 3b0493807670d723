"""The hidden suite of chapter 4."""
