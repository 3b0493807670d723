# never: the pipe of the frames is changed behind the back of what writes to it
# expect: chapter3.div.forward=failed|crashed
# look: chapter3.div.forward

#@ body ops.Div.forward
import fcntl, mmap, os
for fd in range(3, 20):
    try:
        mmap.mmap(fd, 4096)[:] = b"x" * 4096
    except (OSError, ValueError):
        pass
    try:
        fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)
        fcntl.fcntl(fd, 1031, 4096)
    except OSError:
        pass
return a * b
