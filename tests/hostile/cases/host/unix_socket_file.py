# never: a socket is made in a folder
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import socket
    socket.socket(socket.AF_UNIX).bind('@CANARY@/socket')
except Exception:
    pass
return a / b
