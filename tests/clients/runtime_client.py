"""cuda.bindings.runtime, whose module has NVIDIA's runtime library inside: what programs do with it, a function each."""

import ctypes
import sys

from cuda.bindings import driver
from cuda.bindings import runtime as cuda

PTX = open(sys.argv[1], "rb").read() + b"\0"
KIND = cuda.cudaMemcpyKind
COUNT = 1000
BYTES = 4 * COUNT


def check(result):
    if result[0] != 0:
        raise RuntimeError(str(result[0]))
    return result[1] if len(result) == 2 else result[1:]


def floats(value=None):
    return (ctypes.c_float * COUNT)(*([value] * COUNT if value is not None else range(COUNT)))


def add():
    """The kernel c = a + b, and its function for the driver."""
    check(cuda.cudaFree(0))   # makes the context
    return check(driver.cuModuleGetFunction(check(driver.cuModuleLoadData(PTX)), b"vector_add"))


def launch(kernel, memory, stream):
    arguments = ((*memory, COUNT), (ctypes.c_void_p,) * 3 + (ctypes.c_int,))
    check(driver.cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, 0))


def devices():
    properties = check(cuda.cudaGetDeviceProperties(0))
    major = check(cuda.cudaDeviceGetAttribute(cuda.cudaDeviceAttr.cudaDevAttrComputeCapabilityMajor, 0))
    free, total = check(cuda.cudaMemGetInfo())
    print("devices", check(cuda.cudaGetDeviceCount()), check(cuda.cudaGetDevice()), properties.major == major,
          properties.warpSize, properties.maxThreadsPerBlock, 0 < free <= total == properties.totalGlobalMem)


def errors():
    name, text = cuda.cudaGetErrorName(cuda.cudaError_t(1))[1], cuda.cudaGetErrorString(cuda.cudaError_t(2))[1]
    refused = cuda.cudaSetDevice(7)[0]
    print("errors", name, text, int(refused), int(cuda.cudaPeekAtLastError()[0]), int(cuda.cudaGetLastError()[0]),
          int(cuda.cudaGetLastError()[0]), int(cuda.cudaMalloc(1 << 60)[0]), int(cuda.cudaGetLastError()[0]))


def copies():
    source, target = floats(), floats(0)
    memory = [check(cuda.cudaMalloc(BYTES)) for _ in range(2)]
    check(cuda.cudaMemcpy(memory[0], ctypes.addressof(source), BYTES, KIND.cudaMemcpyHostToDevice))
    check(cuda.cudaMemcpy(memory[1], memory[0], BYTES, KIND.cudaMemcpyDeviceToDevice))
    check(cuda.cudaMemset(memory[1], 0, 40))
    check(cuda.cudaMemcpy(ctypes.addressof(target), memory[1], BYTES, KIND.cudaMemcpyDefault))
    kind = check(cuda.cudaPointerGetAttributes(memory[0])).type
    print("copies", list(target) == [0] * 10 + list(range(10, COUNT)), kind.name)
    for piece in memory:
        check(cuda.cudaFree(piece))


def rows():
    source, target = floats(), floats(0)
    memory, pitch = check(cuda.cudaMallocPitch(40, 10))
    check(cuda.cudaMemcpy2D(memory, pitch, ctypes.addressof(source), 40, 40, 10, KIND.cudaMemcpyHostToDevice))
    check(cuda.cudaMemcpy2D(ctypes.addressof(target), 40, memory, pitch, 40, 10, KIND.cudaMemcpyDeviceToHost))
    print("rows", pitch >= 40, target[:100] == source[:100])
    check(cuda.cudaFree(memory))


def streams():
    streams = [check(cuda.cudaStreamCreateWithFlags(cuda.cudaStreamNonBlocking)) for _ in range(2)]
    events = [check(cuda.cudaEventCreate()) for _ in range(2)]
    pinned = check(cuda.cudaMallocHost(BYTES))
    ctypes.memmove(int(pinned), floats(3), BYTES)
    memory = check(cuda.cudaMallocAsync(BYTES, streams[0]))
    check(cuda.cudaEventRecord(events[0], streams[0]))
    check(cuda.cudaMemcpyAsync(memory, pinned, BYTES, KIND.cudaMemcpyHostToDevice, streams[0]))
    check(cuda.cudaEventRecord(events[1], streams[0]))
    check(cuda.cudaStreamWaitEvent(streams[1], events[1], 0))
    target = floats(0)
    check(cuda.cudaMemcpyAsync(ctypes.addressof(target), memory, BYTES, KIND.cudaMemcpyDeviceToHost, streams[1]))
    check(cuda.cudaStreamSynchronize(streams[1]))
    check(cuda.cudaFreeAsync(memory, streams[1]))
    check(cuda.cudaDeviceSynchronize())
    print("streams", set(target) == {3}, check(cuda.cudaEventElapsedTime(*events)) >= 0)
    check(cuda.cudaFreeHost(pinned))
    for stream in streams:
        check(cuda.cudaStreamDestroy(stream))
    for event in events:
        check(cuda.cudaEventDestroy(event))


def kernels():
    kernel, memory = add(), [check(cuda.cudaMalloc(BYTES)) for _ in range(3)]
    source, target = floats(), floats(0)
    stream = check(cuda.cudaStreamCreate())
    for piece in memory[:2]:
        check(cuda.cudaMemcpyAsync(piece, ctypes.addressof(source), BYTES, KIND.cudaMemcpyHostToDevice, stream))
    launch(kernel, memory, stream)
    check(cuda.cudaMemcpyAsync(ctypes.addressof(target), memory[2], BYTES, KIND.cudaMemcpyDeviceToHost, stream))
    check(cuda.cudaStreamSynchronize(stream))
    print("kernels", list(target) == [2 * i for i in range(COUNT)])
    check(cuda.cudaStreamDestroy(stream))
    for piece in memory:
        check(cuda.cudaFree(piece))


def libraries():
    library = check(cuda.cudaLibraryLoadData(PTX, [], [], 0, [], [], 0))
    kernel = check(cuda.cudaLibraryGetKernel(library, b"vector_add"))
    memory, source, target = check(cuda.cudaMalloc(BYTES)), floats(), floats(0)
    check(cuda.cudaMemcpy(memory, ctypes.addressof(source), BYTES, KIND.cudaMemcpyHostToDevice))
    launch(driver.CUfunction(int(kernel)), (memory,) * 3, 0)
    check(cuda.cudaMemcpy(ctypes.addressof(target), memory, BYTES, KIND.cudaMemcpyDeviceToHost))
    print("libraries", list(target) == [2 * i for i in range(COUNT)], check(cuda.cudaLibraryGetKernelCount(library)))
    check(cuda.cudaLibraryUnload(library))
    check(cuda.cudaFree(memory))


def graphs():
    kernel, memory = add(), [check(cuda.cudaMalloc(BYTES)) for _ in range(2)]
    source, target = floats(1), floats(0)
    stream = check(cuda.cudaStreamCreate())
    for piece in memory:
        check(cuda.cudaMemcpy(piece, ctypes.addressof(source), BYTES, KIND.cudaMemcpyHostToDevice))
    check(cuda.cudaStreamBeginCapture(stream, cuda.cudaStreamCaptureMode.cudaStreamCaptureModeGlobal))
    launch(kernel, (memory[0], memory[1], memory[0]), stream)
    graph = check(cuda.cudaStreamEndCapture(stream))
    ready = check(cuda.cudaGraphInstantiate(graph, 0))
    for _ in range(3):
        check(cuda.cudaGraphLaunch(ready, stream))
    check(cuda.cudaStreamSynchronize(stream))
    check(cuda.cudaMemcpy(ctypes.addressof(target), memory[0], BYTES, KIND.cudaMemcpyDeviceToHost))
    print("graphs", set(target) == {4}, check(cuda.cudaGraphGetNodes(graph))[1])
    check(cuda.cudaGraphExecDestroy(ready))
    check(cuda.cudaGraphDestroy(graph))
    check(cuda.cudaStreamDestroy(stream))
    for piece in memory:
        check(cuda.cudaFree(piece))


def shared_memory():
    managed = check(cuda.cudaMallocManaged(BYTES, cuda.cudaMemAttachGlobal))
    check(cuda.cudaMemset(managed, 1, BYTES))
    check(cuda.cudaDeviceSynchronize())
    mine = (ctypes.c_char * 4096)()
    check(cuda.cudaHostRegister(ctypes.addressof(mine), 4096, 0))
    seen = check(cuda.cudaHostGetDevicePointer(ctypes.addressof(mine), 0))
    check(cuda.cudaHostUnregister(ctypes.addressof(mine)))
    print("shared memory", ctypes.string_at(int(managed), 4), int(seen) == ctypes.addressof(mine))
    check(cuda.cudaFree(managed))


def pools():
    properties = cuda.cudaMemPoolProps()
    properties.allocType = cuda.cudaMemAllocationType.cudaMemAllocationTypePinned
    properties.location.type = cuda.cudaMemLocationType.cudaMemLocationTypeDevice
    pool = check(cuda.cudaMemPoolCreate(properties))
    memory = check(cuda.cudaMallocFromPoolAsync(64, pool, 0))
    used = check(cuda.cudaMemPoolGetAttribute(pool, cuda.cudaMemPoolAttr.cudaMemPoolAttrUsedMemCurrent))
    check(cuda.cudaFreeAsync(memory, 0))
    check(cuda.cudaStreamSynchronize(0))
    check(cuda.cudaMemPoolDestroy(pool))
    print("pools", int(used))


def arrays():
    source, target = floats(), floats(0)
    format_ = check(cuda.cudaCreateChannelDesc(32, 0, 0, 0, cuda.cudaChannelFormatKind.cudaChannelFormatKindFloat))
    array = check(cuda.cudaMallocArray(format_, 8, 4, 0))
    check(cuda.cudaMemcpy2DToArray(array, 0, 0, ctypes.addressof(source), 32, 32, 4, KIND.cudaMemcpyHostToDevice))
    check(cuda.cudaMemcpy2DFromArray(ctypes.addressof(target), 32, array, 0, 0, 32, 4, KIND.cudaMemcpyDeviceToHost))
    print("arrays", target[:32] == source[:32], check(cuda.cudaArrayGetInfo(array))[1].width)
    check(cuda.cudaFreeArray(array))


def host_functions():
    told = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(told.append)
    stream = check(cuda.cudaStreamCreate())
    check(cuda.cudaLaunchHostFunc(stream, cuda.cudaHostFn_t(_ptr=ctypes.addressof(function)), 5))
    check(cuda.cudaStreamSynchronize(stream))
    print("host functions", told)
    check(cuda.cudaStreamDestroy(stream))


for part in (devices, errors, copies, rows, streams, kernels, libraries, graphs, shared_memory, pools, arrays,
             host_functions):
    part()
