// cause: FLT_MIN is the smallest positive float, just above 0, and not the lowest one, so rows of negative numbers keep it as their maximum and all powers are too small or 0
// first: wrong_value overflow
// says: FLT_MIN in line 33 is about 1.2e-38
// asks: Which number does this kernel subtract before it takes a power of e, and where does it come from? What is the largest exponent then?
#include <float.h>    // FLT_MAX, the largest float
#include <math.h>     // INFINITY

#define BLOCK 256
#define LOG2_E 1.44269504f

// Helper functions, if you want any.
struct Share {
    float top;      // the largest number
    float sum;      // of e^(x - top)
};

// e^d as a power of 2
__device__ float power(float d)
{
    return exp2f(d * LOG2_E);
}

extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float *in, float *out, int rows, int columns)
{
    // Where does this block's row begin, in `in` and in `out`? All 256 threads must reach every barrier, however short the
    // row is.
    __shared__ Share cells[BLOCK];
    int first = blockIdx.x * columns;
    int end = first + columns;

    // Each thread looks at every 256th number of the row. It keeps the largest one so far, and the sum of e^(x - largest).
    // What has to happen to that sum when a larger number comes?
    float top = FLT_MIN;
    float sum = 0;
    for (int k = first + threadIdx.x; k < end; k += BLOCK) {
        float x = in[k];
        if (x > top) {
            sum = sum * power(top - x) + 1;     // the new one has e^0
            top = x;
        } else {
            sum += power(x - top);
        }
    }

    // The threads put together what they have found: the maximum of the row, and the sum of e^(x - maximum).
    Share *mine = &cells[threadIdx.x];
    mine->top = top;
    mine->sum = sum;
    __syncthreads();
    for (int active = BLOCK / 2; active > 0; active >>= 1) {
        if (threadIdx.x < active) {
            const Share other = mine[active];
            const float larger = fmaxf(mine->top, other.top);
            mine->sum = mine->sum * power(mine->top - larger) + other.sum * power(other.top - larger);
            mine->top = larger;
        }
        __syncthreads();
    }
    const Share row = cells[0];

    // Each thread writes its results.
    for (int k = first + threadIdx.x; k < end; k += BLOCK)
        out[k] = power(in[k] - row.top) / row.sum;
}
