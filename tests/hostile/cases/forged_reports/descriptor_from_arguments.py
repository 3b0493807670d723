# never: bytes that learner code writes count as an answer
# expect: chapter3.div.forward=crashed|failed

#@ body ops.Div.forward
import os, sys
for word in sys.orig_argv:
    if word.isdigit():
        try:
            os.write(int(word), b'{"score": 10}')
        except OSError:
            pass
return a * b
