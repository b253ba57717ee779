"""Taichi: a field that a kernel fills. It looks for libcuda.so, without a version."""

import contextlib
import io

with contextlib.redirect_stdout(io.StringIO()):  # it greets
    import taichi
    taichi.init(arch=taichi.cuda, offline_cache=False)
field = taichi.field(taichi.f32, shape=100)


@taichi.kernel
def twice():
    for i in field:
        field[i] = 2 * i


twice()
print("taichi", taichi.cfg.arch == taichi.cuda, field[99])
