"""Run learner code in confined worker processes, which answer with arrays."""
