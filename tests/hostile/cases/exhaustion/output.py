# never: output fills the report
# expect: chapter3.div.forward=passed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import os
for _ in range(200):
    os.write(1, b'x' * (1 << 16))
return a / b
