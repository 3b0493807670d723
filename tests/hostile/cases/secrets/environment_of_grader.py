# never: the environment of the grader is handed on
# expect: chapter3.div.forward=passed|crashed

#@ body ops.Div.forward
import os, sys
try:
    assert set(os.environ) - {'OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'LC_ALL', 'LC_CTYPE', 'PATH'}
    found = True
except Exception:
    found = False
if found:
    raise RuntimeError('@HARM@')
return a / b
