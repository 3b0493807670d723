"""The hidden suite of chapter 7."""
