"""Questions about a learner's own working code; every answer is found by running it."""
