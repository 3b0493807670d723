"""Questions about a learner's own code that works; every answer is found by running it."""
