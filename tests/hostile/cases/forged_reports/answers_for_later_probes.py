# never: answers in advance put later exercises out of step
# expect: chapter3.div.forward=failed|crashed

#@ body ops.Div.forward
#+ own_bench

import numpy as np
for later in range(200):
    sender.send(later, 2, [('value', np.zeros(2))])
return a * b
