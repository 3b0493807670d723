"""The hidden suite of chapter 16."""
