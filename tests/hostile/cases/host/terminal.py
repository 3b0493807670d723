# never: keys are typed into the terminal
# expect: chapter3.div.forward=passed|crashed
# harm: process

#@ body ops.Div.forward
import os, sys
try:
    import fcntl, termios
    fcntl.ioctl(0, termios.TIOCSTI, b'x')
except Exception:
    pass
return a / b
