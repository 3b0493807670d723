# never: a server is reached
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
import os, sys
try:
    import http.client
    http.client.HTTPConnection('127.0.0.1', @PORT@, timeout=0.5).request('GET', '/')
except Exception:
    pass
return a / b
