"""A sparse matrix in CSR form times a vector, and conjugate gradients with it: the five-point Laplacian."""
# needs: pycuda
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule

SIDE = 24
N = SIDE * SIDE
spmv = SourceModule("""
__global__ void spmv(int rows, const int *start, const int *column, const double *value, const double *x, double *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    double sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}
""").get_function("spmv")

start, column, value = [0], [], []
for i in range(SIDE):
    for j in range(SIDE):
        for di, dj, v in ((-1, 0, -1), (0, -1, -1), (0, 0, 4), (0, 1, -1), (1, 0, -1)):
            if 0 <= i + di < SIDE and 0 <= j + dj < SIDE:
                column.append((i + di) * SIDE + j + dj)
                value.append(v)
        start.append(len(column))
matrix = [gpuarray.to_gpu(np.array(part, kind))
          for part, kind in ((start, np.int32), (column, np.int32), (value, np.float64))]


def multiply(x):
    y = gpuarray.empty_like(x)
    spmv(np.int32(N), *matrix, x, y, block=(128, 1, 1), grid=((N + 127) // 128, 1))
    return y


b = np.random.default_rng(7).standard_normal(N)
x = gpuarray.zeros(N, np.float64)
r = gpuarray.to_gpu(b)
p = r.copy()
rr = float(gpuarray.dot(r, r).get())
steps = 0
while rr > 1e-18 and steps < 200:
    ap = multiply(p)
    alpha = rr / float(gpuarray.dot(p, ap).get())
    x = x + alpha * p
    r = r - alpha * ap
    new = float(gpuarray.dot(r, r).get())
    p = r + (new / rr) * p
    rr = new
    steps += 1
print("converged", rr <= 1e-18, "residual", float(np.abs(multiply(x).get() - b).max()) < 1e-7)
cuda.Context.synchronize()
