"""Triton's tutorials without PyTorch: CuPy holds the arrays, Triton's own runtime compiles and launches."""
# needs: triton, cupy
import cupy as cp
import numpy as np
import triton
import triton.language as tl


class Tensor:
    """What Triton asks of an array: its address and the type of its elements."""

    def __init__(self, values):
        self.values = cp.asarray(values)
        self.dtype = {"float16": tl.float16, "float32": tl.float32}[self.values.dtype.name]

    def data_ptr(self):
        return self.values.data.ptr


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + i, powers / tl.sum(powers, axis=0), mask=i < columns)


@triton.jit
def matmul(a, b, c, M, N, K, TILE: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for start in range(0, K, TILE):
        k = start + tl.arange(0, TILE)
        left = tl.load(a + row[:, None] * K + k[None, :], mask=(row[:, None] < M) & (k[None, :] < K), other=0.0)
        right = tl.load(b + k[:, None] * N + column[None, :], mask=(k[:, None] < K) & (column[None, :] < N), other=0.0)
        total += tl.dot(left, right)
    tl.store(c + row[:, None] * N + column[None, :], total, mask=(row[:, None] < M) & (column[None, :] < N))


rng = np.random.default_rng(1)
x, y = rng.random(1000, dtype=np.float32), rng.random(1000, dtype=np.float32)
out = Tensor(np.zeros(1000, np.float32))
add[(4,)](Tensor(x), Tensor(y), out, 1000, BLOCK=256)
print("add", np.array_equal(out.values.get(), x + y))
rows = rng.random((8, 100), dtype=np.float32)
out = Tensor(np.zeros_like(rows))
softmax[(8,)](Tensor(rows), out, 100, BLOCK=128)
exact = np.exp(rows) / np.exp(rows).sum(axis=1, keepdims=True)
print("softmax", np.allclose(out.values.get(), exact, rtol=1e-5))
for kind in np.float16, np.float32:
    a, b = rng.random((40, 50)).astype(kind), rng.random((50, 70)).astype(kind)
    out = Tensor(np.zeros((40, 70), np.float32))
    matmul[(2, 3)](Tensor(a), Tensor(b), out, 40, 70, 50, TILE=32)
    print("matmul", kind.__name__, np.allclose(out.values.get(), a.astype(np.float32) @ b.astype(np.float32), rtol=5e-3))
