# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
from concurrent.futures import ThreadPoolExecutor
POOL = ThreadPoolExecutor(2)
assert list(POOL.map(abs, [-1, 2])) == [1, 2]
