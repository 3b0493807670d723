"""Every protection of a worker, attacked for real."""
