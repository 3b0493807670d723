# never: a loop outlives its time
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# budget: 6
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import signal
signal.signal(signal.SIGALRM, signal.SIG_IGN)
while True:
    pass
