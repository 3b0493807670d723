"""The hidden suite of chapter 8."""
