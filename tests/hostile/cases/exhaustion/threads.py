# never: the machine is filled with threads
# expect: chapter3.div.forward=failed|crashed|timed_out chapter3.sub.forward=passed
# budget: 8
# most: 0.4
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import threading, time
for _ in range(100):
    threading.Thread(target=time.sleep, args=(20,)).start()
return a * b
