# never: a server is reached
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import socket, threading
    thread = threading.Thread(target=lambda: socket.create_connection(('127.0.0.1', @PORT@), 1).close())
    thread.start()
    thread.join(1)
except Exception:
    pass
return a / b
