# never: a loop outlives its time
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# budget: 6
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
while True:
    pass
