# never: what is right can be read by the code that is judged
# expect: chapter3.div.forward=passed|crashed

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while frame is not None:
    if any(word in frame.f_locals for word in ('answers', 'solutions', 'oracles', 'mistakes')):
        raise RuntimeError('@HARM@')
    frame = frame.f_back
return a / b
