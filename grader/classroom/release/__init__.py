"""Make what goes out to learners: releases, their public keys, updates of workspaces."""
