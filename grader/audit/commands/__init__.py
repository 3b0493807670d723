"""The commands of authors: `audit`, `course`, `mistakes`, `record` and `stubs`."""
