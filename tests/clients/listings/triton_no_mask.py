"""A pitfall in Triton: the mask lets one element too many through."""
# needs: triton, cupy
# status: 1
# says: out of bounds +\S*triton_no_mask\.py:26\n +read parameter 1\[1000\], but parameter 1 has 1000 elements
# says: write parameter 2\[1000\], but parameter 2 has 1000 elements
# says: > +26 \| +tl\.store\(out \+ i, 2 \* tl\.load\(x \+ i, mask=inside\)
import cupy as cp
import triton
import triton.language as tl

cp.cuda.set_allocator(None)   # each array has memory of its own: the pool's are rounded up to 512 bytes


class Tensor:
    def __init__(self, values):
        self.values, self.dtype = values, tl.float32

    def data_ptr(self):
        return self.values.data.ptr


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i <= n
    tl.store(out + i, 2 * tl.load(x + i, mask=inside), mask=inside)


x, out = cp.ones(1000, dtype=cp.float32), cp.zeros(1000, dtype=cp.float32)
double[(4,)](Tensor(x), Tensor(out), 1000, BLOCK=256)
try:
    cp.cuda.Device().synchronize()
except cp.cuda.runtime.CUDARuntimeError as error:
    print(str(error).split(":", maxsplit=1)[0])
