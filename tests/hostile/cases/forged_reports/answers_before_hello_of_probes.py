# never: a frame at import takes the place of `loaded`
# expect: chapter3.div.forward=crashed|failed
# look: chapter3.div.forward

#@ before ops.py
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get('self'), 'sender'):
    frame = frame.f_back
frame.f_locals['self'].sender.send(0, 2, [])
#@ body ops.Div.forward
return a * b
