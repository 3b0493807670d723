"""Reports: written from the canonical result and nothing else."""
