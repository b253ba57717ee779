"""Numba's kernel on CuPy's arrays of 2^24 + 11 elements, one thread for each."""
# needs: numba.cuda, cupy
import cupy as cp
import numpy as np
from numba import cuda


@cuda.jit
def vecadd(a, b, c):
    tid = cuda.grid(1)
    size = len(c)
    if tid < size:
        c[tid] = a[tid] + b[tid]


N = (1 << 24) + 11
a = cp.arange(N, dtype=cp.int32)
b = cp.full(N, 7, dtype=cp.int32)
c = cp.zeros(N, dtype=cp.int32)
threads = 1024
blocks = (N + threads - 1) // threads
vecadd[blocks, threads](a, b, c)
result = cp.asnumpy(c)
print("right", np.array_equal(result, np.arange(N, dtype=np.int32) + 7))
