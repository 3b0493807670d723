# never: the machine is filled with processes
# expect: chapter3.div.forward=failed|crashed chapter3.sub.forward=passed
# budget: 8
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import os, time
for _ in range(40):
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
return a * b
