"""Numba as the courses use it: shared memory, atomics, device functions, reduce, vectorize, streams."""
# needs: numba.cuda
import math

import numpy as np
from numba import cuda, float32, int32, vectorize

TILE = 16


@cuda.jit
def matmul(a, b, c):
    sa = cuda.shared.array((TILE, TILE), float32)
    sb = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for k in range((a.shape[1] + TILE - 1) // TILE):
        sa[tx, ty] = a[x, k * TILE + ty] if x < a.shape[0] and k * TILE + ty < a.shape[1] else 0
        sb[tx, ty] = b[k * TILE + tx, y] if k * TILE + tx < b.shape[0] and y < b.shape[1] else 0
        cuda.syncthreads()
        for j in range(TILE):
            total += sa[tx, j] * sb[j, ty]
        cuda.syncthreads()
    if x < c.shape[0] and y < c.shape[1]:
        c[x, y] = total


a = np.random.default_rng(1).random((50, 37), dtype=np.float32)
b = np.random.default_rng(2).random((37, 41), dtype=np.float32)
c = cuda.device_array((50, 41), np.float32)
matmul[(4, 3), (TILE, TILE)](cuda.to_device(a), cuda.to_device(b), c)
print("matmul", np.allclose(c.copy_to_host(), a @ b, rtol=1e-5))


@cuda.jit
def histogram(data, bins):
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(bins, data[i], 1)


data = np.random.default_rng(3).integers(0, 32, 20000).astype(np.int32)
bins = cuda.to_device(np.zeros(32, np.int32))
histogram[8, 128](cuda.to_device(data), bins)
print("histogram", np.array_equal(bins.copy_to_host(), np.bincount(data, minlength=32)))


@cuda.jit(device=True)
def wave(x):
    return math.sin(x) ** 2 + math.cos(x) ** 2


@cuda.jit
def ones(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = wave(i * 0.01)


out = cuda.device_array(1000, np.float64)
ones[4, 256](out)
print("device function", np.allclose(out.copy_to_host(), 1))


@cuda.reduce
def add(x, y):
    return x + y


print("reduce", add(np.arange(5000, dtype=np.int64)))


@vectorize([int32(int32, int32)], target="cuda")
def plus(x, y):
    return x + y


print("vectorize", np.array_equal(plus(data, data), data + data))
