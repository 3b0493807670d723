"""From what was typed, and what is done already, to exercises."""
