"""Shapes beyond the public ones, for the ops that move values about or add them up.

Two samples of an op have the same input, and two the same result: what was kept from one call for
the next under too little is wrong for one of them.
"""

from __future__ import annotations

from grader.course import shapes

HIDDEN = {
    "chapter3.reshape": (
        shapes((), attrs=((1, 1),)),
        shapes((2, 3, 4), attrs=((4, 6),)),
        shapes((2, 3, 4), attrs=((2, -1, 2),)),
        shapes((4, 3, 2), attrs=((4, 6),)),
    ),
    "chapter3.transpose": (
        shapes((1, 3), attrs=(None,)),
        shapes((2, 3, 4, 5), attrs=(None,)),
        shapes((2, 3, 4, 5), attrs=((2, 0, 3, 1),)),
        shapes((4, 2, 3, 5), attrs=(None,)),
    ),
    "chapter3.summation": (
        shapes((2, 3, 2), attrs=(1,)),
        shapes((2, 1, 3), attrs=((1, 2),)),
        shapes((2, 2, 2), attrs=((0, 1),)),
        shapes((2, 2, 2), attrs=(1,)),
    ),
    "chapter3.broadcast_to": (
        shapes((1,), attrs=((5,),)),
        shapes((1,), attrs=((4, 4),)),
        shapes((1, 1), attrs=((4, 4),)),
        shapes((3, 1, 2), attrs=((2, 3, 4, 2),)),
    ),
    "chapter3.matmul": (
        shapes((1, 3), (3, 1)),
        shapes((4, 1, 2), (4, 2, 3)),
        shapes((2, 2, 2, 1), (2, 2, 1, 3)),
    ),
}
