# never: the C stack is used up
# expect: chapter3.div.forward=crashed|out_of_memory|timed_out chapter3.sub.forward=passed
# budget: 6
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import sys
sys.setrecursionlimit(10**9)
def deeper(n):
    return sorted([n], key=lambda _: deeper(n + 1))
deeper(0)
