// cause: The loop of the results goes in steps of 256, but the block has 64 threads, so columns 64 to 255 of each 256 are never written
// first: never_written elsewhere
// says: c grows by 256; blockDim.x = 64
// asks: Which elements should line 47 store, and which does it store?
#include <float.h>    // FLT_MAX, the largest float
#include <math.h>     // INFINITY

#define BLOCK 64
#define ALL 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float *in, float *out, int rows, int columns)
{
    // two warps, so two of each
    __shared__ float tops[2], sums[2];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        const float *x = in + r * columns;
        float *y = out + r * columns;

        // what this thread finds
        float m = -FLT_MAX, s = 0;
        for (int c = threadIdx.x; c < columns; c += BLOCK) {
            float top = fmaxf(m, x[c]);
            s = s * expf(m - top) + expf(x[c] - top);
            m = top;
        }

        // first the maximum of the warp, then the sums, made ready for this maximum
        float warp_m = m;
        for (int d = 16; d > 0; d /= 2)
            warp_m = fmaxf(warp_m, __shfl_xor_sync(ALL, warp_m, d));
        s *= expf(m - warp_m);
        for (int d = 16; d > 0; d /= 2)
            s += __shfl_xor_sync(ALL, s, d);
        if (lane == 0) {
            tops[warp] = warp_m;
            sums[warp] = s;
        }
        __syncthreads();

        // every thread joins the two warps for itself
        float row_m = fmaxf(tops[0], tops[1]);
        float row_s = sums[0] * expf(tops[0] - row_m) + sums[1] * expf(tops[1] - row_m);
        float scale = 1.0f / row_s;
        for (int c = threadIdx.x; c < columns; c += 256)
            y[c] = expf(x[c] - row_m) * scale;
        __syncthreads();    // before tops and sums are used again
    }
}
