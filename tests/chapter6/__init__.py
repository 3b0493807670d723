"""The hidden suite of chapter 6."""
