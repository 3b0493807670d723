# never: sleep is waited for
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# budget: 8
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import time
time.sleep(1000)
