"""`grader viva`: questions whose answers are found once more, by other means."""
