# never: bytes that learner code writes count as an answer
# expect: chapter3.div.forward=crashed|failed

#@ body ops.Div.forward
import os
for fd in range(3, 64):
    try:
        os.write(fd, b'passed' * 20)
    except OSError:
        pass
return a * b
