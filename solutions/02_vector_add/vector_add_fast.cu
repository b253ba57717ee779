/* Lab 02 with four elements a thread: a warp reads 512 bytes of a, 512 of b, and writes 512 of c, with one request each.
 * Fewer, wider requests keep more bytes on their way to memory at any time, and that is what a kernel with next to no
 * arithmetic lives on.
 */

// Tells the launch how many elements a block of 256 threads covers.
extern "C" __constant__ int vector_add_items = 1024;

extern "C" __global__ void __launch_bounds__(256) vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (n - i >= 4) {
        float4 x = *(const float4 *)&a[i];      // i is a multiple of 4, so the address is one of 16 bytes
        float4 y = *(const float4 *)&b[i];
        *(float4 *)&c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
        return;
    }
    for (; i < n; i++) {    // the last thread with work has 1 to 3 elements
        c[i] = a[i] + b[i];
    }
}
