/* vector_add with four elements per thread: a warp reads 512 bytes of a, 512 of b, and writes 512 of c, by one request
 * each. Fewer, wider requests keep more bytes in flight at any time, which is what a kernel with next to no
 * arithmetic needs.
 */

// Tells the launch how many elements a block of 256 threads covers.
extern "C" __constant__ int vector_add_items = 1024;

extern "C" __global__ void __launch_bounds__(256) vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (n - i >= 4) {
        float4 x = *(const float4 *)&a[i];      // i is a multiple of 4, so the address is a multiple of 16
        float4 y = *(const float4 *)&b[i];
        *(float4 *)&c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
        return;
    }
    for (; i < n; i++) {    // the last thread with work has 1 to 3 elements
        c[i] = a[i] + b[i];
    }
}
