"""Numba's own ways to write kernels: numba_kernels.py beyond | grid | reduce | package."""

import sys

import numpy
from numba import cuda


@cuda.jit(lineinfo=True)
def shift(count, values, out):
    i = cuda.grid(1)
    if i <= count:
        out[i] = 2 * values[i]


@cuda.jit
def mirror(rows):
    column = cuda.grid(1)
    grid = cuda.cg.this_grid()
    for row in range(1, rows.shape[0]):
        rows[row, column] = rows[row - 1, rows.shape[1] - column - 1] + 1
        grid.sync()


@cuda.reduce
def total(one, other):
    return one + other


which = sys.argv[1]
if which == "beyond":
    values = numpy.arange(64, dtype=numpy.float32)
    try:
        shift[2, 64](64, values, numpy.zeros_like(values))
    except cuda.cudadrv.driver.CudaAPIError:
        print("failed")
elif which == "grid":
    rows = numpy.zeros((16, 64), dtype=numpy.int32)
    mirror[2, 32](rows)
    print((rows == numpy.arange(16)[:, None]).all())
elif which == "reduce":
    print([float(total(numpy.arange(n, dtype=numpy.float64))) for n in (10, 100, 1000)])
