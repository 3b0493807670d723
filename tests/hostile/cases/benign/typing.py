# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
from typing import Callable, Generic, Protocol, TypeVar
T = TypeVar('T')

class Box(Generic[T]):
    pass

class Shaped(Protocol):
    shape: tuple
