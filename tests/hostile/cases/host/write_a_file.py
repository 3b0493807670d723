# never: a file is written outside
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    open('@CANARY@/new.txt', 'w').write('x')
except Exception:
    pass
return a / b
