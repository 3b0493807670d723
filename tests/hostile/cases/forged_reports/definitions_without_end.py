# never: what a package says of itself fills the report or the memory
# expect: chapter3.div.forward=failed|crashed|timed_out chapter3.sub.forward=failed|crashed|timed_out
# look: chapter3.div.forward chapter3.sub.forward
# most: 0.4
# budget: 8
# full: only

#@ before ops.py
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
sender = frame.f_locals["self"].sender
long = "x" * 60000
sender.send(0, 1, definitions=f"ops.Div.forward\t{long}\t7\t9\t0", absent="", refused="")
sender.send = sender.send_encoded = lambda *a, **k: None
