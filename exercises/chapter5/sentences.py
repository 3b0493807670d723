"""What several mistakes have in common from chapter 5 on: their sentences."""

NEW_TENSOR = (
    "You made a new Tensor. The model still holds the old one, which never moves; change "
    "`parameter.data` instead."
)
NEVER_MOVES = (
    "No parameter moved. New values under a name of your own, or under none at all, reach no "
    "model: they belong into `parameter.data`."
)
