"""One thread for matrix products: imported before NumPy, which reads this when it is loaded.

Small networks multiply small matrices, and threads cost more than they bring there.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")
