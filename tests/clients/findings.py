"""A program with mistakes that a launch survives, on whatever libcuda.so.1 the loader finds: findings.py [long].

Three launches of `meet`, in which all threads store to one place, one of `million`, which reads past its array more than a
million times, and two allocations that are never freed: after a failed kernel nothing can be. `long` launches a kernel that
does not end instead.
"""

import ctypes
import sys

PTX = b""".version 7.0
.target sm_80
.address_size 64
.visible .entry meet(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %q<2>;
    ld.param.u64 %q0, [out];
    mov.u32 %r0, %tid.x;
    st.global.u32 [%q0], %r0;
    ret;
}
.visible .entry forever(.param .u64 out)
{
    .reg .pred %p;
    .reg .b32 %r<3>;
    .reg .b64 %q<2>;
    ld.param.u64 %q0, [out];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
again:
    st.global.u32 [%q0], %r0;
    add.u32 %r1, %r1, 1;
    setp.ne.u32 %p, %r1, 100000000;
    @%p bra again;
    ret;
}
.visible .entry million(.param .u64 out)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .b64 %q<3>;
    ld.param.u64 %q0, [out];
    mov.u32 %r0, %tid.x;
    mad.lo.u32 %r0, %r0, 4, 4096;
    cvt.u64.u32 %q1, %r0;
    add.u64 %q0, %q0, %q1;
    mov.u32 %r1, 0;
again:
    ld.global.u32 %r2, [%q0];
    add.u32 %r1, %r1, 1;
    setp.ne.u32 %p, %r1, 16384;
    @%p bra again;
    ret;
}
\0"""


def main():
    driver = ctypes.CDLL("libcuda.so.1")
    context, module = ctypes.c_void_p(), ctypes.c_void_p()
    driver.cuInit(0)
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    driver.cuCtxSetCurrent(context)
    driver.cuModuleLoadData(ctypes.byref(module), PTX)
    address = [ctypes.c_uint64(), ctypes.c_uint64()]
    for each in address:
        driver.cuMemAlloc_v2(ctypes.byref(each), ctypes.c_size_t(256))
    print("ready", flush=True)
    for name in [b"forever"] if "long" in sys.argv else [b"meet", b"meet", b"meet", b"million"]:
        kernel = ctypes.c_void_p()
        driver.cuModuleGetFunction(ctypes.byref(kernel), module, name)
        parameters = (ctypes.c_void_p * 1)(ctypes.addressof(address[0]))
        result = driver.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, parameters, None)
        print(name.decode(), result, flush=True)


main()
