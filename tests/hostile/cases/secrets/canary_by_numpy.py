# never: NumPy reads where Python may not
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    assert np.fromfile('@CANARY@/secret.txt', 'u1').size
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
