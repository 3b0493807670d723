"""The hidden suite of chapter 15."""
