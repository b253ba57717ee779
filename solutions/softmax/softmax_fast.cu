/* softmax as fast as memory allows: a warp for each row, which reads each number once.
 *
 *   warp       a block is one warp. Its lanes join what they have found with shuffles: no shared memory, no barrier, and
 *              no other warp to wait for.
 *   registers  a lane keeps 32 numbers, and loads all of them before it uses the first. So a row of up to 1024 columns is
 *              read once, and its maximum is known before the first power of e: one for each number, and nothing is
 *              rescaled.
 *   pieces     a longer row takes the online form, 1024 numbers at a time: the sum is rescaled once for each such piece. A
 *              second pass then reads the row again.
 *   fours      rows whose length is a multiple of 4 move in pieces of 16 bytes.
 *
 * Powers of 2 are what the hardware computes: one multiplication by log2(e) makes a power of e of them.
 */

#include <float.h>
#include <math.h>

#define WARP 32
#define EACH 32                 // numbers that a lane keeps
#define PIECE (WARP * EACH)     // and the warp
#define LOG2_E 1.4426950408889634f
#define ALL_LANES 0xffffffffu

// e^(x - m).
__device__ float power(float x, float m)
{
    return exp2f((x - m) * LOG2_E);
}

__device__ float warp_maximum(float value)
{
    for (int mask = WARP / 2; mask > 0; mask /= 2) {
        value = fmaxf(value, __shfl_xor_sync(ALL_LANES, value, mask));
    }
    return value;
}

__device__ float warp_sum(float value)
{
    for (int mask = WARP / 2; mask > 0; mask /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, mask);
    }
    return value;
}

// The lane's numbers of a piece; behind the end of the row -infinity, whose power of e is 0.
template <bool fours> __device__ void load(float (&kept)[EACH], const float *numbers, int count)
{
#pragma unroll
    for (int k = 0; k < EACH; k += fours ? 4 : 1) {
        int c = k * WARP + threadIdx.x * (fours ? 4 : 1);
        if (fours) {
            float4 four = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
            if (c < count) {    // then c + 3 < count, too
                four = *(const float4 *)&numbers[c];
            }
            kept[k] = four.x, kept[k + 1] = four.y, kept[k + 2] = four.z, kept[k + 3] = four.w;
        } else {
            kept[k] = c < count ? numbers[c] : -INFINITY;
        }
    }
}

template <bool fours> __device__ void store(const float (&kept)[EACH], float *results, int count)
{
#pragma unroll
    for (int k = 0; k < EACH; k += fours ? 4 : 1) {
        int c = k * WARP + threadIdx.x * (fours ? 4 : 1);
        if (c < count && fours) {
            *(float4 *)&results[c] = make_float4(kept[k], kept[k + 1], kept[k + 2], kept[k + 3]);
        } else if (c < count) {
            results[c] = kept[k];
        }
    }
}

template <bool fours> __device__ void softmax_of_row(const float *numbers, float *results, int columns)
{
    float kept[EACH], maximum = -FLT_MAX, sum = 0;
    for (int first = 0; first < columns; first += PIECE) {
        load<fours>(kept, numbers + first, columns - first);
        float before = maximum;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            maximum = fmaxf(maximum, kept[k]);
        }
        maximum = warp_maximum(maximum);
        sum *= power(before, maximum);
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            kept[k] = power(kept[k], maximum);
            sum += kept[k];
        }
    }
    float factor = 1 / warp_sum(sum);
    if (columns <= PIECE) {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            kept[k] *= factor;
        }
        store<fours>(kept, results, columns);
        return;
    }
    for (int first = 0; first < columns; first += PIECE) {
        load<fours>(kept, numbers + first, columns - first);
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            kept[k] = power(kept[k], maximum) * factor;
        }
        store<fours>(kept, results + first, columns - first);
    }
}

extern "C" __global__ void __launch_bounds__(WARP) softmax(const float *__restrict__ in, float *__restrict__ out, int rows,
                                                           int columns)
{
    const float *numbers = in + (size_t)blockIdx.x * columns;
    float *results = out + (size_t)blockIdx.x * columns;
    if (columns % 4 == 0) {
        softmax_of_row<true>(numbers, results, columns);
    } else {
        softmax_of_row<false>(numbers, results, columns);
    }
}
