# never: an answer that comes byte by byte is waited for without end
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# budget: 10
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
import time, signal
signal.setitimer(signal.ITIMER_REAL, 0)
for byte in HEADER.pack(b'bgF1', sender.nonce, probe, 2, 1, 4000) + bytes(4000):
    os.write(sender.fd, bytes([byte]))
    time.sleep(0.05)
return a * b
