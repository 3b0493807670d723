"""The drill: whatever machine, terminal, folder or moment it is, `grader` says something true."""
