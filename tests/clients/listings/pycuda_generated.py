"""Kernels that PyCUDA writes: ElementwiseKernel, ReductionKernel, InclusiveScanKernel, curandom, cumath, gpuarray.dot."""
# needs: pycuda
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.curandom as curandom
import pycuda.cumath as cumath
import pycuda.gpuarray as gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel

a, b = curandom.rand((50,)), curandom.rand((50,))
print("random", bool((a.get() >= 0).all() and (a.get() < 1).all() and a.get().std() > 0.1))
c = gpuarray.empty_like(a)
lin_comb = ElementwiseKernel("float a, float *x, float b, float *y, float *z", "z[i] = a*x[i] + b*y[i]",
                             "linear_combination")
lin_comb(5, a, 6, b, c)
print("linear combination", np.allclose(c.get(), 5 * a.get() + 6 * b.get()))

x = gpuarray.arange(4000, dtype=np.float32)
y = gpuarray.to_gpu((np.arange(4000) % 7).astype(np.float32))
dot = ReductionKernel(np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="float *x, float *y")
expected = float((np.arange(4000, dtype=np.float64) * (np.arange(4000) % 7)).sum())
print("dot", abs(float(dot(x, y).get()) / expected - 1) < 1e-5, abs(float(gpuarray.dot(x, y).get()) / expected - 1) < 1e-5)

scan = InclusiveScanKernel(np.int32, "a+b")
numbers = np.random.default_rng(1).integers(0, 100, 3000).astype(np.int32)
print("scan", np.array_equal(scan(gpuarray.to_gpu(numbers)).get(), numbers.cumsum()))
print("cumath", np.allclose(cumath.sin(x / 100).get(), np.sin(np.arange(4000, dtype=np.float32) / 100), atol=1e-5))
print("slices", np.array_equal(x[10:100:3].get() if x[10:100:3].flags.forc else x.get()[10:100:3],
                               np.arange(10, 100, 3, dtype=np.float32)))
generator = curandom.XORWOWRandomNumberGenerator()
normal = generator.gen_normal(20000, np.float32).get()
print("normal", abs(float(normal.mean())) < 0.05, abs(float(normal.std()) - 1) < 0.05)
