# never: a program is started
# expect: chapter3.div.forward=passed|crashed
# harm: confined
# budget: 6

#@ body ops.Div.forward
import os, sys
try:
    import subprocess
    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(30)'], start_new_session=True)
except Exception:
    pass
return a / b
