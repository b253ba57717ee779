"""A pitfall: 1024 threads for 1000 elements, and no guard."""
# needs: pycuda
# status: 1
# says: out of bounds
# says: a\[i\] = 2\.0f \* i;
# says: i = blockIdx\.x\*blockDim\.x \+ threadIdx\.x = 3\*256 \+ 232 = 1000
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

kernel = SourceModule("""
__global__ void fill(float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2.0f * i;
}
""").get_function("fill")
a = np.zeros(1000, np.float32)
try:
    kernel(cuda.InOut(a), block=(256, 1, 1), grid=(4, 1))
except cuda.Error as error:
    print(type(error).__name__, str(error).split(" failed")[0])
