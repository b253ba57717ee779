// cause: c[first + t] = sa[t] + sb[t]; is not followed by a barrier, so threads below 128 fill sa and sb for the next round while others still read this round's values
// first: race_shared turns
// says: line 24 belongs to one turn of the loop in line 13, line 20 to another, and no barrier separates the turns.
// asks: What makes every thread finish a turn before any thread begins the next one?
#define TILE 256
extern "C" __constant__ int vector_add_items = 4 * TILE;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[TILE], sb[TILE];
    int t = threadIdx.x;

    for (int r = 0; r < 4; r++) {
        int first = (blockIdx.x * 4 + r) * TILE;
        if (t < 64) {
            for (int k = t; k < TILE; k += 64)
                if (first + k < n) sa[k] = a[first + k];
        } else if (t < 128) {
            for (int k = t - 64; k < TILE; k += 64)
                if (first + k < n) sb[k] = b[first + k];
        }
        __syncthreads();
        if (first + t < n)
            c[first + t] = sa[t] + sb[t];
    }
}
