"""The short route: of exercises that are alike it asks for some, and gives the others solved."""

from grader.course import Kind

# Exercises of no kind are asked for on each route: what is unlike all others.
KINDS = (
    Kind("chapter1.value.{}", asks="div", gives="neg sub"),  # made of other operators
    Kind("chapter1.value.{}", asks="rsub", gives="radd rmul rdiv"),
    Kind("chapter1.value.{}", asks="exp relu", gives="log tanh"),
    Kind("chapter1.{}.init", asks="neuron mlp", gives="layer"),
    Kind("chapter1.{}.call", asks="neuron mlp", gives="layer"),
    Kind("chapter1.{}.parameters", asks="neuron mlp", gives="layer"),
    Kind("chapter1.{}", asks="binary_cross_entropy", gives="mean_squared_error"),
)
