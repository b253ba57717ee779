"""cuda.core: device, stream, PTX program, launch, events, memory resources, through its objects."""

import ctypes
import sys

from cuda.core import Device, EventOptions, LaunchConfig, ObjectCode, launch

PTX = open(sys.argv[1], "rb").read()

device = Device()
device.set_current()
stream = device.create_stream()
kernel = ObjectCode.from_ptx(PTX).get_kernel("vector_add")
count = 1000
a, b, c = (device.allocate(4 * count, stream=stream) for _ in range(3))
host = (ctypes.c_float * count)(*range(count))


def copy(to, source, size):
    from cuda.bindings import driver
    (result,) = driver.cuMemcpyAsync(int(to), int(source), size, stream.handle)
    if result:
        raise RuntimeError(str(result))


copy(a.handle, ctypes.addressof(host), 4 * count)
b.copy_from(a, stream=stream)
start = stream.record(options=EventOptions(timing_enabled=True))
launch(stream, LaunchConfig(grid=4, block=256), kernel, a, b, c, ctypes.c_int(count))
stop = stream.record(options=EventOptions(timing_enabled=True))
copy(ctypes.addressof(host), c.handle, 4 * count)
stream.sync()
print("sum", all(host[i] == 2 * i for i in range(count)), stop - start >= 0)
print("kernel", kernel.num_arguments, kernel.occupancy.max_active_blocks_per_multiprocessor(256, 0) > 0)
print("device", device.compute_capability >= (7, 5), device.properties.warp_size, len(device.name) > 0)
for buffer in (a, b, c):
    buffer.close(stream)
stream.close()
