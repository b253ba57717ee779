/* doublify with four elements per thread: a warp moves 512 bytes with one load and one store. Fewer, wider requests keep
 * more bytes in flight at any time, which is what a kernel without arithmetic needs.
 */

// Tells the launch how many elements a block of 256 threads covers.
extern "C" __constant__ int doublify_items = 1024;

extern "C" __global__ void __launch_bounds__(256) doublify(float *a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (n - i >= 4) {
        float4 v = *(const float4 *)&a[i];      // i is a multiple of 4, so the address is a multiple of 16
        *(float4 *)&a[i] = make_float4(2.0f * v.x, 2.0f * v.y, 2.0f * v.z, 2.0f * v.w);
        return;
    }
    for (; i < n; i++) {    // the last thread with work has 1 to 3 elements
        a[i] = 2.0f * a[i];
    }
}
