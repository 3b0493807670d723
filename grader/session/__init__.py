"""The grader's side of the boundary: starts workers, sends probes, reads observations."""
