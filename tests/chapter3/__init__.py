"""The hidden suite of chapter 3."""
