"""A learner's folder, what is chosen in it, and every report that a learner reads."""
