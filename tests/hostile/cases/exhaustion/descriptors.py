# never: descriptors are used up
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
import os
kept = [os.open('/dev/null', os.O_RDONLY) for _ in range(10**4)]
