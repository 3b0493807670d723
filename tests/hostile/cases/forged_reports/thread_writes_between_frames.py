# never: what a thread writes into the pipe becomes a frame
# expect: chapter3.div.forward=failed|crashed|timed_out chapter3.sub.forward=passed|crashed|timed_out
# look: chapter3.div.forward chapter3.sub.forward
# budget: 12

#@ before ops.py
import os, threading, time
def noise():
    while True:
        for fd in range(3, 20):
            try:
                os.write(fd, b"bgF1" + bytes(40))
            except OSError:
                pass
        time.sleep(0.001)
#@ body ops.Div.forward
threading.Thread(target=noise, daemon=True).start()
time.sleep(0.05)
return a * b
