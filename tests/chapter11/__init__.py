"""The hidden suite of chapter 11."""
