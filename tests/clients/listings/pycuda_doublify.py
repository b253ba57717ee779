"""Doublify in three ways: explicit copies, InOut, and an array that lives on the device."""
# needs: pycuda
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule

a = np.random.default_rng(3).standard_normal((4, 4)).astype(np.float32)
a_gpu = cuda.mem_alloc(a.nbytes)
cuda.memcpy_htod(a_gpu, a)

mod = SourceModule("""
  __global__ void doublify(float *a)
  {
    int idx = threadIdx.x + threadIdx.y*4;
    a[idx] *= 2;
  }
  """)
func = mod.get_function("doublify")
func(a_gpu, block=(4, 4, 1), grid=(1, 1), shared=0)
a_doubled = np.empty_like(a)
cuda.memcpy_dtoh(a_doubled, a_gpu)
print("copies", np.array_equal(a_doubled, 2 * a))

b = a.copy()
func(cuda.InOut(b), block=(4, 4, 1))
print("InOut", np.array_equal(b, 2 * a))

func.prepare("P")
func.prepared_call((1, 1), (4, 4, 1), a_gpu)
cuda.memcpy_dtoh(a_doubled, a_gpu)
print("prepared", np.array_equal(a_doubled, 4 * a))

on_device = gpuarray.to_gpu(a)
print("gpuarray", np.array_equal((2 * on_device).get(), 2 * a), (on_device + on_device * 3).get().shape)
a_gpu.free()
