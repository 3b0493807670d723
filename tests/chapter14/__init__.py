"""The hidden suite of chapter 14."""
