// cause: divides by the number of threads of all blocks
// first: wrong_value samples
// says: as many samples as all threads would have.
// asks: How many samples are there?
#define BLOCK 256
#define M0 0xD2511F53u
#define M1 0xCD9E8D57u

__device__ uint4 philox(unsigned long long number, unsigned long long seed)
{
    unsigned c0 = number, c1 = number >> 32, c2 = 0, c3 = 0;
    unsigned k0 = seed, k1 = seed >> 32;
    for (int i = 0; i < 10; i++) {
        unsigned long long a = (unsigned long long)M0 * c0;
        unsigned long long b = (unsigned long long)M1 * c2;
        unsigned n0 = (unsigned)(b >> 32) ^ c1 ^ k0;
        unsigned n1 = (unsigned)b;
        unsigned n2 = (unsigned)(a >> 32) ^ c3 ^ k1;
        unsigned n3 = (unsigned)a;
        c0 = n0;
        c1 = n1;
        c2 = n2;
        c3 = n3;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return make_uint4(c0, c1, c2, c3);
}

__device__ float to_float(unsigned word)
{
    return (word >> 8) / 16777216.0f;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    draw(unsigned *words, float *numbers, int n, unsigned long long seed, unsigned long long first)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < n) {
        uint4 r = philox(first + s, seed);
        words[4 * s] = r.x;
        words[4 * s + 1] = r.y;
        words[4 * s + 2] = r.z;
        words[4 * s + 3] = r.w;
        numbers[4 * s] = to_float(r.x);
        numbers[4 * s + 1] = to_float(r.y);
        numbers[4 * s + 2] = to_float(r.z);
        numbers[4 * s + 3] = to_float(r.w);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first)
{
    __shared__ unsigned cells[BLOCK];
    int t = threadIdx.x, s = blockIdx.x * blockDim.x + t;
    cells[t] = 0;
    if (s < n) {
        uint4 r = philox(first + s, seed);
        float x = to_float(r.x), y = to_float(r.y), z = to_float(r.z), w = to_float(r.w);
        if (x * x + y * y + z * z + w * w < 1.0f) {
            cells[t] = 1;
        }
    }
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d) {
            cells[t] += cells[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        hits[blockIdx.x] = cells[0];
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) finish(const unsigned *hits, int blocks, int n, float *result)
{
    __shared__ unsigned total;
    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) {
        atomicAdd(&total, hits[b]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float p = (float)total / (blocks * BLOCK);
        result[0] = 16 * p;
        result[1] = 16 * sqrtf(p * (1 - p) / n);
    }
}
