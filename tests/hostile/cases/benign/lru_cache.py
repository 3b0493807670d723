# never: honest code loses a mark
# twin: 1
# look: chapter3.div chapter3.sub

#@ before ops.py
import functools

@functools.lru_cache(maxsize=None)
def axes_of(count):
    return tuple(range(count))

assert axes_of(2) == (0, 1)
