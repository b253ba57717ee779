"""What the driver API answers: a line per case with the result codes (and values) of its calls, the same on every driver.

driver_codes.py [CASE]    default: every case, each in a process of its own
"""

import ctypes
import subprocess
import sys
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

HEADER = b".version 7.0\n.target sm_75\n.address_size 64\n"
STORE = b"""(.param .u64 p) { .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [p];
    mov.u32 %v, 7; st.global.u32 [%a], %v; ret; }\n"""
PTX = HEADER + b".visible .global .u32 g[4];\n.visible .entry nothing() { ret; }\n.visible .entry store" + STORE + b"\0"
INVALID = HEADER + b".visible .entry f() { frobnicate; }\n\0"

# Modules to link: `use` calls a function and reads a variable of another one.
DEFINING = HEADER + b""".visible .global .u32 value = 5;
.visible .func (.param .u32 r) twice(.param .u32 x) { .reg .u32 %a; ld.param.u32 %a, [x]; add.u32 %a, %a, %a;
    st.param.u32 [r], %a; ret; }\n\0"""
USING = HEADER + b""".extern .global .u32 value;
.extern .func (.param .u32 r) twice(.param .u32 x);
.visible .entry use(.param .u64 p) { .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [p]; ld.global.u32 %v, [value];
    { .param .u32 q; .param .u32 s; st.param.u32 [q], %v; call (s), twice, (q); ld.param.u32 %v, [s]; }
    st.global.u32 [%a], %v; ret; }\n\0"""
WEAK = HEADER + b""".weak .func (.param .u32 r) twice(.param .u32 x) { .reg .u32 %a; mov.u32 %a, 99;
    st.param.u32 [r], %a; ret; }\n\0"""
WEAK_VARIABLE = HEADER + b".weak .global .u32 value = 77;\n\0"
OWN = HEADER + b""".global .u32 hidden = 3;
.visible .entry NAME(.param .u64 p) { .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [p]; ld.global.u32 %v, [hidden];
    st.global.u32 [%a], %v; ret; }\n\0"""

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


class Driver:
    """The driver with its primary context current; calls take Python numbers as 64-bit ones."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.context = c_void_p()
        self.cuInit(0)
        self.cuDevicePrimaryCtxRetain(byref(self.context), 0)
        self.cuCtxSetCurrent(self.context)

    def __getattr__(self, name):
        function = getattr(self.library, name)
        return lambda *arguments: function(*[c_size_t(a) if isinstance(a, int) else a for a in arguments])

    def allocate(self, size=256):
        address = c_uint64()
        self.cuMemAlloc_v2(byref(address), size)
        return address

    def module(self, ptx=PTX):
        module = c_void_p()
        self.cuModuleLoadData(byref(module), ptx)
        return module

    def function(self, module, name):
        function = c_void_p()
        self.cuModuleGetFunction(byref(function), module, name)
        return function

    def launch(self, function, *arguments, stream=None, grid=(1, 1, 1), block=(1, 1, 1), shared=0):
        array = (c_void_p * (len(arguments) + 1))(*[ctypes.cast(byref(a), c_void_p) for a in arguments])
        return self.cuLaunchKernel(function, *grid, *block, shared, stream, array, None)

    def read(self, address):
        value = c_uint(0)
        self.cuMemcpyDtoH_v2(byref(value), address, 4)
        return value.value

    def created(self, name, *arguments):
        handle = c_void_p()
        getattr(self, name)(byref(handle), *arguments)
        return handle

    def other_context(self):
        return self.created("cuCtxCreate_v2", 0, 0)

    def link(self, *inputs):
        """Codes of creating, adding, completing and loading, and the module."""
        state, image, module = c_void_p(), c_void_p(), c_void_p()
        log = ctypes.create_string_buffer(4096)
        options, values = (c_int * 2)(5, 6), (c_void_p * 2)(ctypes.cast(log, c_void_p), 4096)
        codes = [self.cuLinkCreate_v2(2, options, values, byref(state))]
        for ptx in inputs:
            codes.append(self.cuLinkAddData_v2(state, 1, ptx, len(ptx), b"input", 0, None, None))
        codes.append(self.cuLinkComplete(state, byref(image), None))
        if codes[-1] == 0:
            codes.append(self.cuModuleLoadData(byref(module), image))
        codes.append(self.cuLinkDestroy(state))
        return codes, module

    def linked_value(self, *inputs, name=b"use"):
        codes, module = self.link(*inputs)
        if any(codes):
            return codes, None
        result = self.allocate()
        self.launch(self.function(module, name), result)
        return codes, self.read(result)


@case
def free_twice(cuda):
    address = cuda.allocate()
    return cuda.cuMemFree_v2(address), cuda.cuMemFree_v2(address), cuda.cuCtxSynchronize()


@case
def free_what_cannot_be(cuda):
    address = cuda.allocate()
    return (cuda.cuMemFree_v2(c_uint64(address.value + 16)), cuda.cuMemFree_v2(c_uint64(0x1234560)), cuda.cuMemFree_v2(0),
            cuda.cuMemFreeHost(c_void_p(address.value)), cuda.cuMemFree_v2(address))


@case
def free_in_the_order_of_a_stream(cuda):
    ordered, plain = c_uint64(), cuda.allocate()
    codes = [cuda.cuMemAllocAsync(byref(ordered), 256, None), cuda.cuMemFreeAsync(ordered, None),
             cuda.cuMemFreeAsync(ordered, None)]
    codes += [cuda.cuMemFreeAsync(plain, None), cuda.cuCtxSynchronize(), cuda.cuMemFree_v2(plain)]
    codes += [cuda.cuMemAllocAsync(byref(ordered), 256, None), cuda.cuMemFree_v2(ordered), cuda.cuCtxSynchronize(),
              cuda.cuMemFree_v2(ordered)]
    return codes


@case
def free_host_memory(cuda):
    host, own = cuda.created("cuMemAllocHost_v2", 64), ctypes.create_string_buffer(64)
    return (cuda.cuMemFree_v2(c_uint64(host.value)), cuda.cuMemFreeHost(host), cuda.cuMemFreeHost(host),
            cuda.cuMemFreeHost(None), cuda.cuMemFreeHost(byref(own)))


@case
def free_managed_memory(cuda):
    address = c_uint64()
    return (cuda.cuMemAllocManaged(byref(address), 64, 1), cuda.cuMemFreeHost(c_void_p(address.value)),
            cuda.cuMemFree_v2(address), cuda.cuMemFree_v2(address), cuda.cuMemAllocManaged(byref(address), 0, 1))


@case
def copy_where_nothing_is(cuda):
    freed, host = cuda.allocate(), ctypes.create_string_buffer(64)
    cuda.cuMemFree_v2(freed)
    return (cuda.cuMemcpyDtoH_v2(host, freed, 64), cuda.cuMemcpyHtoD_v2(freed, host, 64), cuda.cuMemsetD8_v2(freed, 0, 64),
            cuda.cuCtxSynchronize())


@case
def copy_past_the_end(cuda):
    address, host = cuda.allocate(4 << 20), ctypes.create_string_buffer(5 << 20)
    return (cuda.cuMemcpyHtoD_v2(address, host, (4 << 20) + 4), cuda.cuMemsetD8_v2(address, 0, (4 << 20) + 4),
            cuda.cuCtxSynchronize())


@case
def store_to_freed_memory(cuda):
    store, address, other = cuda.function(cuda.module(), b"store"), cuda.allocate(8 << 20), c_uint64()
    cuda.cuMemFree_v2(address)
    return (cuda.launch(store, address), cuda.cuCtxSynchronize(), cuda.cuMemFree_v2(address),
            cuda.cuMemAlloc_v2(byref(other), 4))


@case
def memory_of_another_context(cuda):
    address, host = cuda.allocate(), ctypes.create_string_buffer(64)
    cuda.other_context()
    codes = [cuda.cuMemcpyDtoH_v2(host, address, 64), cuda.cuMemFree_v2(address)]
    cuda.cuCtxSetCurrent(cuda.context)
    return codes + [cuda.cuMemFree_v2(address)]


@case
def module_of_another_context(cuda):
    module, value, address, size = cuda.module(), c_int(), c_uint64(), c_size_t()
    function = cuda.function(module, b"nothing")
    cuda.other_context()
    return (cuda.launch(function), cuda.cuFuncGetAttribute(byref(value), 0, function),
            cuda.cuModuleGetFunction(byref(c_void_p()), module, b"nothing"),
            cuda.cuModuleGetGlobal_v2(byref(address), byref(size), module, b"g"), cuda.cuModuleUnload(module))


@case
def stream_of_another_context(cuda):
    stream, event = cuda.created("cuStreamCreate", 0), cuda.created("cuEventCreate", 0)
    cuda.other_context()
    return (cuda.cuStreamSynchronize(stream), cuda.cuStreamQuery(stream), cuda.cuEventRecord(event, None),
            cuda.cuEventRecord(event, stream), cuda.cuEventSynchronize(event), cuda.cuStreamWaitEvent(None, event, 0),
            cuda.cuStreamDestroy_v2(stream))


@case
def events(cuda):
    timed, untimed, time = cuda.created("cuEventCreate", 0), cuda.created("cuEventCreate", 2), c_float()
    return (cuda.cuEventQuery(timed), cuda.cuEventSynchronize(timed), cuda.cuEventElapsedTime(byref(time), timed, timed),
            cuda.cuEventRecord(timed, None), cuda.cuEventRecord(untimed, None), cuda.cuCtxSynchronize(),
            cuda.cuEventElapsedTime(byref(time), timed, untimed), cuda.cuEventElapsedTime(byref(time), timed, timed),
            cuda.cuEventElapsedTime(None, timed, timed), cuda.cuEventDestroy_v2(timed))


@case
def null_pointers(cuda):
    return (cuda.cuMemAlloc_v2(None, 4), cuda.cuMemcpyHtoD_v2(0, None, 4), cuda.cuMemcpyHtoD_v2(0, None, 0),
            cuda.cuModuleLoadData(None, PTX), cuda.cuModuleLoadData(byref(c_void_p()), None), cuda.cuEventCreate(None, 0),
            cuda.cuStreamCreate(None, 0), cuda.cuMemGetInfo_v2(None, None), cuda.cuCtxGetCurrent(None),
            cuda.cuDeviceGetCount(None), cuda.cuDriverGetVersion(None))


@case
def null_handles(cuda):
    value, handle, size = c_int(), c_void_p(), c_size_t()
    return (cuda.launch(None), cuda.cuFuncGetAttribute(byref(value), 0, None), cuda.cuModuleUnload(None),
            cuda.cuModuleGetFunction(byref(handle), None, b"x"),
            cuda.cuModuleGetGlobal_v2(byref(handle), byref(size), None, b"x"), cuda.cuEventRecord(None, None),
            cuda.cuEventDestroy_v2(None), cuda.cuStreamDestroy_v2(None), cuda.cuCtxDestroy_v2(None), cuda.cuEventQuery(None),
            cuda.cuLibraryUnload(None), cuda.cuLinkDestroy(None))


@case
def names_in_a_module(cuda):
    module, handle, size = cuda.module(), c_void_p(), c_size_t()
    return (cuda.cuModuleGetFunction(byref(handle), module, b"none"), cuda.cuModuleGetFunction(byref(handle), module, b""),
            cuda.cuModuleGetGlobal_v2(byref(handle), byref(size), module, b"none"),
            cuda.cuModuleGetGlobal_v2(None, byref(size), module, b"g"), cuda.cuModuleGetGlobal_v2(None, None, module, b"g"),
            size.value)


@case
def shapes_of_launches(cuda):
    nothing = cuda.function(cuda.module(), b"nothing")
    shapes = (((0, 1, 1), (1, 1, 1), 0), ((1, 1, 1), (0, 1, 1), 0), ((1, 1, 1), (1025, 1, 1), 0), ((1, 1, 1), (1, 1, 65), 0),
              ((1, 65536, 1), (1, 1, 1), 0), ((1 << 31, 1, 1), (1, 1, 1), 0), ((1, 1, 1), (1, 1, 1), 49153),
              ((1, 1, 1), (1, 1, 1), 300000), ((1, 1, 1), (1, 1, 1), 49152))
    return [cuda.launch(nothing, grid=grid, block=block, shared=shared) for grid, block, shared in shapes]


@case
def attributes_of_pointers(cuda):
    address, own, kind, device = cuda.allocate(), ctypes.create_string_buffer(64), c_uint(), c_int()
    return (cuda.cuPointerGetAttribute(byref(kind), 2, address), kind.value,
            cuda.cuPointerGetAttribute(byref(kind), 2, c_uint64(ctypes.addressof(own))),
            cuda.cuPointerGetAttribute(byref(device), 9, address), device.value,
            cuda.cuPointerGetAttribute(byref(c_void_p()), 4, address), cuda.cuMemFree_v2(address),
            cuda.cuPointerGetAttribute(byref(kind), 2, address))


@case
def libraries(cuda):
    library, kernel, function, count, value = c_void_p(), c_void_p(), c_void_p(), c_uint(), c_int()
    cuda.cuCtxSetCurrent(None)
    codes = [cuda.cuLibraryLoadData(byref(library), PTX, None, None, 0, None, None, 0),
             cuda.cuLibraryGetKernel(byref(kernel), library, b"nothing"),
             cuda.cuKernelGetFunction(byref(function), kernel)]
    cuda.cuCtxSetCurrent(cuda.context)
    return codes + [cuda.cuKernelGetFunction(byref(function), kernel), cuda.launch(function), cuda.launch(kernel),
                    cuda.cuLibraryGetKernel(byref(function), library, b"none"),
                    cuda.cuLibraryGetKernelCount(byref(count), library), count.value,
                    cuda.cuKernelGetAttribute(byref(value), 0, kernel, 0), value.value, cuda.cuCtxSynchronize()]


@case
def linking(cuda):
    return cuda.linked_value(DEFINING, USING), cuda.linked_value(USING, DEFINING), cuda.link()[0]


@case
def linking_what_does_not_fit(cuda):
    return cuda.link(USING)[0], cuda.link(DEFINING, DEFINING)[0]


@case
def linking_weak_definitions(cuda):
    return [cuda.linked_value(*inputs)[1] for inputs in (
        (WEAK, DEFINING, USING), (DEFINING, WEAK, USING), (USING, WEAK, DEFINING), (WEAK, WEAK_VARIABLE, USING),
        (WEAK_VARIABLE, DEFINING, USING))]


@case
def linking_names_of_a_modules_own(cuda):
    first, second = OWN.replace(b"NAME", b"a"), OWN.replace(b"NAME", b"b").replace(b"= 3", b"= 4")
    return cuda.linked_value(first, second, name=b"a"), cuda.linked_value(first, second, name=b"b")


@case
def loading_what_is_not_linked(cuda):
    return cuda.cuModuleLoadData(byref(c_void_p()), USING), cuda.cuModuleLoadData(byref(c_void_p()), INVALID)


@case
def entry_points_by_name(cuda):
    answers = []
    for name, version, flags in (
            ("cuMemAlloc", 2000, 0), ("cuMemAlloc", 3020, 0), ("cuMemAlloc", 1000, 0), ("cuMemAlloc", 0, 0),
            ("cuMemAlloc_v2", 13000, 0), ("cuNothing", 13000, 0), ("cuCtxCreate", 13000, 0), ("cuStreamQuery", 6000, 2),
            ("cuStreamQuery_ptsz", 13000, 0), ("cuGetProcAddress", 13000, 0), ("", 13000, 0), ("cuMemAlloc", 13000, 4),
            ("cuMemAlloc", 20000, 0), ("cuLaunch", 13000, 0)):
        function, status = c_void_p(), c_int(-1)
        code = cuda.library.cuGetProcAddress_v2(c_char_p(name.encode()), byref(function), version, c_uint64(flags),
                                                byref(status))
        exported = [suffix for suffix in ("", "_v2", "_v3", "_v4") if function.value and hasattr(cuda.library, name + suffix)
                    and ctypes.cast(getattr(cuda.library, name + suffix), c_void_p).value == function.value]
        answers.append((code, status.value, name + exported[0] if exported else bool(function.value)))
    return answers


def main():
    if len(sys.argv) > 1:
        print(sys.argv[1], *CASES[sys.argv[1]](Driver()))
        return 0
    failed = 0
    for name in CASES:
        done = subprocess.run([sys.executable, __file__, name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        failed += done.returncode != 0
        print(done.stdout.strip() if done.returncode == 0 else f"{name} ended with {done.returncode}: {done.stderr[-300:]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
