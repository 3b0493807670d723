# never: a timer of the learner's ends a run well
# expect: chapter3.div.forward=failed|crashed|timed_out chapter3.sub.forward=passed|crashed|timed_out
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import os, signal
signal.signal(signal.SIGVTALRM, lambda *a: os._exit(0))
signal.setitimer(signal.ITIMER_VIRTUAL, 0.01)
signal.setitimer(signal.ITIMER_PROF, 0.02)
return a * b
