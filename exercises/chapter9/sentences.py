"""Sentences that several mistakes share from chapter 9 on."""

KEEPS_THE_GRAPH = (
    "You returned the Tensor. It keeps the whole graph of this step alive; return its value as a "
    "float."
)
