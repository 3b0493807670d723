# never: a server is reached
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import socket
    socket.create_connection(('127.0.0.1', @PORT@), 1).close()
except Exception:
    pass
return a / b
