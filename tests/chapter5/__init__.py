"""The hidden suite of chapter 5."""
