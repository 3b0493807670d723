"""Sentences that several mistakes share from chapter 5 on."""

NEW_TENSOR = (
    "You made a new Tensor. The model still holds the old one, which never moves; change "
    "`parameter.data` instead."
)
NEVER_MOVES = (
    "No parameter moved. The model never sees new values that you only give a name, or none at "
    "all: put them into `parameter.data`."
)
