"""A pitfall: a block of 2000 threads."""
# needs: pycuda
# status: 1
# says: a block of 2000 threads in x; this device allows 1024
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

kernel = SourceModule("__global__ void one(float *a) { a[threadIdx.x] = 1; }").get_function("one")
a = np.zeros(2000, np.float32)
try:
    kernel(cuda.InOut(a), block=(2000, 1, 1))
    print("launched")
except cuda.LogicError as error:
    print(str(error).split(" failed")[0])
