"""One thread for BLAS, which multiplies NumPy's matrices: import this before NumPy.

The matrices of these networks are small. Several threads wait for each other longer than they
compute: with two of them MNIST takes many times as long. What you have set yourself stays.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")
