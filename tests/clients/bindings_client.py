"""cuda.bindings: the driver API as it is, a library, a kernel, streams, events, and entry points by address."""

import ctypes
import sys

from cuda.bindings import driver as cuda

PTX = open(sys.argv[1], "rb").read() + b"\0"


def check(result):
    if result[0] != cuda.CUresult.CUDA_SUCCESS:
        raise RuntimeError(str(result[0]))
    return result[1] if len(result) == 2 else result[1:]


check(cuda.cuInit(0))
device = check(cuda.cuDeviceGet(0))
context = check(cuda.cuDevicePrimaryCtxRetain(device))
check(cuda.cuCtxSetCurrent(context))
library = check(cuda.cuLibraryLoadData(PTX, None, None, 0, None, None, 0))
kernel = check(cuda.cuLibraryGetKernel(library, b"vector_add"))
function = check(cuda.cuKernelGetFunction(kernel))
count = 1000
bytes_ = 4 * count
a = (ctypes.c_float * count)(*range(count))
c = (ctypes.c_float * count)()
stream = check(cuda.cuStreamCreate(0))
events = [check(cuda.cuEventCreate(0)) for _ in range(2)]
memory = [check(cuda.cuMemAllocAsync(bytes_, stream)) for _ in range(3)]
check(cuda.cuEventRecord(events[0], stream))
check(cuda.cuMemcpyHtoDAsync(memory[0], ctypes.addressof(a), bytes_, stream))
check(cuda.cuMemcpyDtoDAsync(memory[1], memory[0], bytes_, stream))
arguments = ((memory[0], memory[1], memory[2], count), (None, None, None, ctypes.c_int))
check(cuda.cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, stream, arguments, 0))
check(cuda.cuMemcpyDtoHAsync(ctypes.addressof(c), memory[2], bytes_, stream))
check(cuda.cuEventRecord(events[1], stream))
check(cuda.cuStreamSynchronize(stream))
print("stream", all(c[i] == 2 * i for i in range(count)), check(cuda.cuEventElapsedTime(*events)) >= 0)
config = cuda.CUlaunchConfig()
config.gridDimX, config.gridDimY, config.gridDimZ = 4, 1, 1
config.blockDimX, config.blockDimY, config.blockDimZ = 256, 1, 1
config.hStream = stream
check(cuda.cuMemsetD32Async(memory[2], 0, count, stream))
check(cuda.cuLaunchKernelEx(config, function, arguments, 0))
check(cuda.cuMemcpyDtoH(ctypes.addressof(c), memory[2], bytes_))
print("by configuration", all(c[i] == 2 * i for i in range(count)))
print("occupancy", check(cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, 256, 0)) > 0,
      check(cuda.cuFuncGetAttribute(cuda.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function)))
for pointer in memory:
    check(cuda.cuMemFreeAsync(pointer, stream))
check(cuda.cuStreamSynchronize(stream))
print("name", check(cuda.cuKernelGetName(kernel)), check(cuda.cuGetErrorName(cuda.CUresult(700))))
check(cuda.cuLibraryUnload(library))
check(cuda.cuStreamDestroy(stream))
check(cuda.cuDevicePrimaryCtxRelease(device))
