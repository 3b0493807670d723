"""Everything that speaks to nbgrader: its courses, its hooks, its gradebook."""
