"""Chapter 11: one idea in more engines. Every file here works alone and imports NumPy only."""
