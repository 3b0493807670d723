# never: another program answers instead
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
import os, sys
os.execv(sys.executable, [sys.executable, '-c', 'print(1)'])
