"""The hidden suite of chapter 12."""
