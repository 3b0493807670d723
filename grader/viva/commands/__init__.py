"""The commands that ask: `quiz` and `viva`."""
