# never: numbers that change while they are sent are right in one moment
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward

#@ before ops.py
import threading
def flicker(array):
    while True:
        array += 1
        array -= 1
#@ body ops.Div.forward
value = np.array(a * b)
threading.Thread(target=flicker, args=(value,), daemon=True).start()
return value
