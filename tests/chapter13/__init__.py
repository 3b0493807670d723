"""The hidden suite of chapter 13."""
