"""Learner code runs here, in confined processes of its own, and answers with arrays."""
