"""The commands of a class, from `release` to `explain`."""
