# never: parts that nobody asked for, or the same one twice, stand in for the right one
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
sender = frame.f_locals["self"].sender
number = frame.f_locals["number"]
one = np.ones(2)
sender.send(number, 2, [("value", one), ("value", one), ("inputs", one), ("x" * 255, one), ("", one)])
return a * b
