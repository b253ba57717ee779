"""numba: a kernel in Python compiled to PTX, launched by cuda.bindings. (@cuda.jit would link it to machine code by
nvJitLink, which only a GPU can run.)"""

import ctypes
import math

from cuda.bindings import driver
from numba import cuda, float32, int32, types


def check(result):
    if result[0] != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(str(result[0]))
    return result[1] if len(result) == 2 else result[1:]


def roots(values, sums, count):
    part = cuda.shared.array(128, float32)
    i, thread = cuda.grid(1), cuda.threadIdx.x
    part[thread] = math.sqrt(values[i]) if i < count else 0
    cuda.syncthreads()
    half = 64
    while half > 0:
        if thread < half:
            part[thread] += part[thread + half]
        cuda.syncthreads()
        half //= 2
    if thread == 0:
        sums[cuda.blockIdx.x] = part[0]


ptx, _ = cuda.compile_ptx(roots, types.void(types.CPointer(float32), types.CPointer(float32), int32), cc=(8, 0))
check(driver.cuInit(0))
context = check(driver.cuDevicePrimaryCtxRetain(0))
check(driver.cuCtxSetCurrent(context))
module = check(driver.cuModuleLoadData(ptx.encode() + b"\0"))
name = next(line.split("(")[0].split()[-1] for line in ptx.splitlines() if ".entry" in line)
kernel = check(driver.cuModuleGetFunction(module, name.encode()))
values = (ctypes.c_float * 256)(*(float(i * i) for i in range(256)))
sums = (ctypes.c_float * 2)()
memory = [check(driver.cuMemAlloc(size)) for size in (ctypes.sizeof(values), ctypes.sizeof(sums))]
check(driver.cuMemcpyHtoD(memory[0], ctypes.addressof(values), ctypes.sizeof(values)))
check(driver.cuLaunchKernel(kernel, 2, 1, 1, 128, 1, 1, 0, 0, ((memory[0], memory[1], 256), (None, None, ctypes.c_int)), 0))
check(driver.cuMemcpyDtoH(ctypes.addressof(sums), memory[1], ctypes.sizeof(sums)))
print("roots", sums[0], sums[1])
