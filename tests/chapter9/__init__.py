"""The hidden suite of chapter 9."""
