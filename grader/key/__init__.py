"""The answer key: what right code gives for every probe, and what every known mistake gives."""
