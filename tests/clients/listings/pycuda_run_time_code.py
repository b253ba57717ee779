"""Code that is written when the program runs: a template, a loop unrolled by it, and the fastest of several block sizes."""
# needs: pycuda, mako
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from mako.template import Template
from pycuda.compiler import SourceModule

TEMPLATE = Template("""
__global__ void add(${type_name} *tgt, const ${type_name} *op1, const ${type_name} *op2)
{
    int idx = threadIdx.x + ${thread_block_size} * ${block_size} * blockIdx.x;
% for i in range(block_size):
    tgt[idx + ${thread_block_size * i}] = op1[idx + ${thread_block_size * i}] + op2[idx + ${thread_block_size * i}];
% endfor
}
""")
N = 1 << 14
a = np.random.default_rng(5).standard_normal(N).astype(np.float32)
x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(2 * a)
times = {}
for threads in (32, 64, 128, 256):
    for unrolled in (1, 2, 4):
        source = TEMPLATE.render(type_name="float", thread_block_size=threads, block_size=unrolled)
        add = SourceModule(source).get_function("add")
        z = gpuarray.zeros_like(x)
        start, stop = cuda.Event(), cuda.Event()
        start.record()
        add(z, x, y, block=(threads, 1, 1), grid=(N // (threads * unrolled), 1))
        stop.record()
        stop.synchronize()
        times[threads, unrolled] = stop.time_since(start)
        assert np.allclose(z.get(), 3 * a), (threads, unrolled)
print(len(times), "variants, all right;", "each took some time:", all(time > 0 for time in times.values()))
print("registers", add.num_regs > 0, "shared", add.shared_size_bytes, "local", add.local_size_bytes)
