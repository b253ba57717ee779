"""CuPy as the courses use it: array expressions, reductions, kernels of one's own in four forms, streams."""
# needs: cupy
import cupy as cp
import numpy as np

x = cp.arange(10000, dtype=cp.float32).reshape(100, 100)
h = np.arange(10000, dtype=np.float32).reshape(100, 100)
print("expression", np.allclose(cp.asnumpy(cp.sqrt(x) + x * 2 - x.T), np.sqrt(h) + h * 2 - h.T))
print("reductions", bool(cp.allclose(x.sum(axis=0), cp.asarray(h.sum(axis=0)))), int(x.argmax()), float(x.mean()))
print("scan", bool((cp.cumsum(cp.arange(5000)) == cp.asarray(np.cumsum(np.arange(5000)))).all()))
squared_difference = cp.ElementwiseKernel("float32 a, float32 b", "float32 c", "c = (a - b) * (a - b)", "squared_difference")
print("elementwise", np.allclose(cp.asnumpy(squared_difference(x, x.T)), (h - h.T) ** 2))
norm = cp.ReductionKernel("float32 a", "float32 b", "a * a", "a + b", "b = sqrt(a)", "0", "l2norm")
print("reduction kernel", abs(float(norm(x)) / float(np.linalg.norm(h)) - 1) < 1e-5)
saxpy = cp.RawKernel(r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
""", "saxpy")
y = cp.ones(10000, dtype=cp.float32)
saxpy((40,), (256,), (cp.float32(3), x, y, np.int32(10000)))
print("raw kernel", np.allclose(cp.asnumpy(y), 1 + 3 * h.ravel()))


@cp.fuse()
def poly(v):
    return v * v + 2 * v + 1


print("fuse", np.allclose(cp.asnumpy(poly(y)), (cp.asnumpy(y) + 1) ** 2))
stream = cp.cuda.Stream(non_blocking=True)
with stream:
    z = cp.ones(1000) * 5
stream.synchronize()
print("stream", float(z.sum()))
order = cp.argsort(cp.asarray(np.random.default_rng(0).permutation(3000)))
print("sort", len(set(cp.asnumpy(order).tolist())))
