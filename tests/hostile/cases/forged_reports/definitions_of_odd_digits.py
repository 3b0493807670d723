# never: digits of another script bring the grader down
# expect: chapter3.div.forward=crashed|failed
# look: chapter3.div.forward

#@ before ops.py
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get('self'), 'sender'):
    frame = frame.f_back
frame.f_locals['self'].sender.send(0, 1, definitions='ops.Div.forward\tops.py\t\u00b2\t' + '9' * 5000 + '\t0', absent='')
#@ body ops.Div.forward
return a * b
