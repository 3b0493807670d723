"""The hidden suite of chapter 10."""
