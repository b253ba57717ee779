"""A kernel that launches kernels: the sum of a triangle, row by row, and then the sum of the rows."""
# needs: pycuda
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda.compiler import DynamicSourceModule, SourceModule

source = r"""
__global__ void add_row(int *rows, int row)
{
    if (threadIdx.x <= row)
        atomicAdd(&rows[row], threadIdx.x);
}

__global__ void add_rows(const int *rows, int count, int *sum)
{
    for (int i = 0; i < count; i++)
        *sum += rows[i];
}

__global__ void add_triangle(int *rows, int count, int *sum)
{
    for (int row = threadIdx.x; row < count; row += blockDim.x)
        add_row<<<1, 64>>>(rows, row);
    if (threadIdx.x == 0)
        add_rows<<<1, 1, 0, cudaStreamTailLaunch>>>(rows, count, sum);
}
"""

for module in (DynamicSourceModule(source), SourceModule(source, options=["-rdc=true", "-lcudadevrt"])):
    rows, total = np.zeros(50, np.int32), np.zeros(1, np.int32)
    module.get_function("add_triangle")(cuda.InOut(rows), np.int32(50), cuda.InOut(total), block=(16, 1, 1))
    print(rows[49], total[0])
