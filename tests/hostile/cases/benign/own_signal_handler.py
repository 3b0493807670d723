# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
