# never: a loop outlives its time
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# budget: 6
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import signal
signal.setitimer(signal.ITIMER_REAL, 0)
while True:
    pass
