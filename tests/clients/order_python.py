"""Two streams write one array, and nothing orders them: the finding names both lines of this script.

The driver is called with
the interpreter's lock held (PyDLL), as most packages call it for what does not wait."""

import ctypes

driver = ctypes.PyDLL("libcuda.so.1")


def check(status):
    if status != 0:
        raise SystemExit(f"the driver returned {status}")


def clear(array, stream):
    check(driver.cuMemsetD8Async(array, 0, ctypes.c_size_t(64), stream))


context, device = ctypes.c_void_p(), ctypes.c_int()
memory, streams = ctypes.c_uint64(), [ctypes.c_void_p(), ctypes.c_void_p()]
check(driver.cuInit(0))
check(driver.cuDeviceGet(ctypes.byref(device), 0))
check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(driver.cuCtxSetCurrent(context))
check(driver.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64)))
for stream in streams:
    check(driver.cuStreamCreate(ctypes.byref(stream), 0))
clear(memory, streams[0])
check(driver.cuMemsetD8Async(memory, 1, ctypes.c_size_t(64), streams[1]))
check(driver.cuCtxSynchronize())
check(driver.cuMemFree_v2(memory))
