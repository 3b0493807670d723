"""Work with a learner's folder, and write every report that a learner reads."""
