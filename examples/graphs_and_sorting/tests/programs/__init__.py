"""The programs that run beside the learner's package: they compute, and hold no answer."""
