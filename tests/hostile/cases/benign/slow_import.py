# never: honest code loses a mark
# twin: 8
# look: chapter3.div chapter3.sub

#@ before ops.py
import time
time.sleep(0.3)
