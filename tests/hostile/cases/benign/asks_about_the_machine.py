# never: code that asks for the machine, and for its own time, fails where it is told little
# expect: chapter3.div.forward=passed
# twin: 20

#@ body ops.Div.forward
import os, platform, resource, threading, time
assert (os.cpu_count() or 1) >= 1 and len(os.getloadavg()) == 3
assert platform.machine() and time.process_time() > 0 and time.thread_time() > 0
assert resource.getrusage(resource.RUSAGE_SELF).ru_utime >= 0
own = time.pthread_getcpuclockid(threading.get_ident())
assert time.clock_gettime(own) > 0
try:
    open('/proc/meminfo').read()
except OSError:
    pass
return a / b
