"""What a learner has in their hands when a lesson is done."""

BUILT = {
    "lesson1": "three numbers that say more than a thousand",
    "lesson2": "a number for how two lists go together, and one that never forgets",
}
