"""A launch with 2048 threads in a block: what Numba says of it."""
# needs: numba.cuda
# status: 1
# says: a block of 2048 threads in x; this device allows 1024
import numpy as np
from numba import cuda


@cuda.jit
def set_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = 1


a = cuda.to_device(np.zeros(4096, np.float32))
try:
    set_one[2, 2048](a)
    cuda.synchronize()
    print("launched")
except Exception as error:  # of numba's or cuda.core's, by version
    print("CUDA_ERROR_INVALID_VALUE" in str(error))
