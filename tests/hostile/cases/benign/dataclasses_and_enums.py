# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum

@dataclass(frozen=True, slots=True)
class Shape:
    rows: int = 0

class Kind(Enum):
    LEAF = 1

Pair = namedtuple('Pair', 'a b')
assert Shape(2).rows == 2 and Pair(1, 2).b == 2
