"""PyCUDA: load PTX, launch, streams, events, asynchronous copies, occupancy, GPUArray-free so that no compiler is needed."""

import sys

import numpy
import pycuda.driver as cuda

PTX = open(sys.argv[1], "rb").read()

cuda.init()
device = cuda.Device(0)
context = device.make_context()
try:
    module = cuda.module_from_buffer(PTX)
    kernel = module.get_function("vector_add")
    count = 1000
    a = numpy.arange(count, dtype=numpy.float32)
    b = 2 * a
    c = cuda.pagelocked_empty(count, numpy.float32)
    stream, start, stop = cuda.Stream(), cuda.Event(), cuda.Event()
    device_a, device_b, device_c = (cuda.mem_alloc(a.nbytes) for _ in range(3))
    start.record(stream)
    cuda.memcpy_htod_async(device_a, a, stream)
    cuda.memcpy_htod_async(device_b, b, stream)
    kernel(device_a, device_b, device_c, numpy.int32(count), block=(256, 1, 1), grid=(4, 1), stream=stream)
    cuda.memcpy_dtoh_async(c, device_c, stream)
    stop.record(stream)
    stop.synchronize()
    print("stream", bool((c == a + b).all()), start.time_till(stop) >= 0, stream.is_done())
    kernel.prepare("PPPi")
    cuda.memset_d32(device_c, 0, count)
    kernel.prepared_call((4, 1), (256, 1, 1), int(device_a), int(device_b), int(device_c), count)
    cuda.memcpy_dtoh(c, device_c)
    print("prepared", bool((c == a + b).all()))
    result = numpy.zeros_like(a)
    kernel(cuda.In(a), cuda.In(b), cuda.Out(result), numpy.int32(count), block=(128, 1, 1), grid=(8, 1))
    print("in and out", bool((result == a + b).all()))
    print("attributes", kernel.get_attribute(cuda.function_attribute.MAX_THREADS_PER_BLOCK),
          device.compute_capability() >= (7, 5), cuda.mem_get_info()[0] > 0)
    managed = cuda.managed_empty(4, numpy.float32, mem_flags=cuda.mem_attach_flags.GLOBAL)
    managed[:] = 3
    managed_sum = cuda.managed_empty(4, numpy.float32, mem_flags=cuda.mem_attach_flags.GLOBAL)
    kernel(managed, managed, managed_sum, numpy.int32(4), block=(32, 1, 1), grid=(1, 1))
    context.synchronize()
    print("managed", managed_sum.tolist())
    try:
        cuda.module_from_buffer(b".version 7.0\n.target sm_80\n.address_size 64\n.entry f() { frobnicate; }\n\0")
    except cuda.CompileError as error:
        print("refused", "frobnicate" in str(error))
    except cuda.Error as error:
        print("refused", "invalid" in str(error).lower() or "ptx" in str(error).lower())
finally:
    context.pop()
