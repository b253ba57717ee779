"""Streams with pinned memory, asynchronous copies and events; constant memory; a histogram with atomics."""
# needs: pycuda
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

mod = SourceModule("""
__constant__ float factor[2];

__global__ void scale(float *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = a[i] * factor[0] + factor[1];
}

__global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
""")
factor, _ = mod.get_global("factor")
cuda.memcpy_htod(factor, np.array([2, 1], np.float32))
scale = mod.get_function("scale")
N, PARTS = 10000, 4
streams = [cuda.Stream() for _ in range(PARTS)]
host = [cuda.pagelocked_empty(N, np.float32) for _ in range(PARTS)]
device = [cuda.mem_alloc(host[0].nbytes) for _ in range(PARTS)]
done = [cuda.Event() for _ in range(PARTS)]
for k in range(PARTS):
    host[k][:] = np.arange(N) + k
    cuda.memcpy_htod_async(device[k], host[k], streams[k])
    scale(device[k], np.int32(N), block=(128, 1, 1), grid=(8, 1), stream=streams[k])
    cuda.memcpy_dtoh_async(host[k], device[k], streams[k])
    done[k].record(streams[k])
for k in range(PARTS):
    done[k].synchronize()
print("streams", all(np.array_equal(host[k], (np.arange(N, dtype=np.float32) + k) * 2 + 1) for k in range(PARTS)))

data = np.random.default_rng(4).integers(0, 16, 5000).astype(np.int32)
bins = cuda.mem_alloc(16 * 4)
cuda.memset_d32(bins, 0, 16)
mod.get_function("histogram")(cuda.In(data), bins, np.int32(5000), block=(256, 1, 1), grid=(20, 1))
counts = np.empty(16, np.int32)
cuda.memcpy_dtoh(counts, bins)
print("histogram", np.array_equal(counts, np.bincount(data, minlength=16)))
free, total = cuda.mem_get_info()
print("memory", 0 < free <= total)
