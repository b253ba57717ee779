"""Pi by the midpoint rule: mapped on the device and summed by the host, by one kernel of one block, and by halves."""
# needs: pycuda
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

N = 65536
mod = SourceModule("""
__global__ void mapper(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = (i + 0.5f) / n;
        out[i] = 4.0f / (1.0f + x * x) / n;
    }
}

__global__ void sum_of_block(const float *in, float *total, int n)
{
    extern __shared__ float part[];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *total = part[0];
}

__global__ void halve(float *a, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        a[i] += a[i + half];
}
""")
mapper, reducer, halve = (mod.get_function(name) for name in ("mapper", "sum_of_block", "halve"))

terms = np.empty(N, np.float32)
mapper(cuda.Out(terms), np.int32(N), block=(256, 1, 1), grid=(N // 256, 1))
print("host sum", abs(float(terms.sum(dtype=np.float64)) - np.pi) < 1e-5)

total = np.zeros(1, np.float32)
reducer(cuda.In(terms), cuda.Out(total), np.int32(N), block=(512, 1, 1), shared=512 * 4)
print("one block", abs(float(total[0]) - np.pi) < 1e-4)

on_device = cuda.mem_alloc(terms.nbytes)
mapper(on_device, np.int32(N), block=(256, 1, 1), grid=(N // 256, 1))
half = N // 2
while half > 0:
    halve(on_device, np.int32(half), block=(256, 1, 1), grid=((half + 255) // 256, 1))
    half //= 2
first = np.empty(1, np.float32)
cuda.memcpy_dtoh(first, on_device)
print("halves", abs(float(first[0]) - np.pi) < 1e-4)
