// cause: `((float2 *)dest)[t] = both;` under `if (2 * t < n)` stores two floats even when only one is left: with odd n it writes dest[n]
// first: out_of_bounds wide
// says: write of 8 bytes from dest[0] on: they reach dest[1], but dest has 1 element
// asks: How many bytes does this line access at once, and which elements of dest are that?
extern "C" __constant__ int mapper_items = 512;

__device__ float f(float x) { return 4.0f / (1.0f + x * x); }

// two elements for each thread, one store
extern "C" __global__ void mapper(float *dest, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * t < n) {
        float2 both;
        both.x = f((float)(2 * t) / (float)n);
        both.y = f((float)(2 * t + 1) / (float)n);
        ((float2 *)dest)[t] = both;
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n)
        dest[id] += dest[id + i];
}
