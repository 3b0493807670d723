"""What a learner hands in, read as bytes by an allow-list: packages, archives, notebooks."""
