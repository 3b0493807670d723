# never: a file is written to
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    with open('@CANARY@/secret.txt', 'a') as f:
        f.write('x')
except Exception:
    pass
return a / b
