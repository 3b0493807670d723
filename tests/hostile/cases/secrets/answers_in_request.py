# never: what is right can be read by the code that is judged
# expect: chapter3.div.forward=passed

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get('self'), 'request'):
    frame = frame.f_back
if {'answers', 'mistakes', 'hints', 'checks'} & set(frame.f_locals['self'].request):
    raise RuntimeError('@HARM@')
return a / b
