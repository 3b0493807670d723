"""The short route: of exercises that are alike it asks for some, and gives the others solved."""

from grader.course import Kind

# Exercises of no kind are asked for on each route: what is unlike all others.
KINDS = (
    Kind("chapter3.{}.forward", asks="div log sigmoid",
         gives="sub pow negate exp sqrt abs relu tanh"),
    Kind("chapter3.{}.operator", asks="add div negate", gives="sub mul pow"),
    Kind("chapter3.{}.reflected", asks="sub div", gives="add mul"),
    Kind("chapter3.{}.backward", asks="mul div log exp relu sigmoid",
         gives="sub pow negate sqrt abs tanh"),
    Kind("chapter3.{}.forward", asks="transpose summation", gives="reshape broadcast_to matmul"),
    Kind("chapter3.{}", asks="reshape.method summation.method",
         gives="transpose.method broadcast_to.method matmul.method matmul.operator"),
    Kind("chapter3.{}_scalar.forward", asks="power", gives="mul div"),
    Kind("chapter3.{}_scalar.backward", asks="power", gives="mul div"),
)  # fmt: skip
