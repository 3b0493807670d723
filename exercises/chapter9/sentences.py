"""What several mistakes have in common from chapter 9 on: their sentences."""

KEEPS_THE_GRAPH = (
    "You returned the Tensor. It keeps the whole graph of this step alive; return its value as a "
    "float."
)
