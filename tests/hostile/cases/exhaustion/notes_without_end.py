# never: notes that trickle in one by one keep the grader for ever
# expect: chapter3.backward=failed
# look: chapter3.backward
# most: 0.5
# budget: 16
# full: only

#@ before ops.py
import sys
import time
record = sys.modules["call_log"]
def once_more(bench, probe, clock):
    for _ in range(1000):
        bench.sender.send(probe[0], 6, [], op="Mul", attrs="()")
        time.sleep(0.7)
record.record_ops = once_more
#@ body tensor.Tensor.backward
#+ wrong_walk
