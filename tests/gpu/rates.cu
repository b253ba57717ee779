/* What a GPU does a second: the rates and latencies behind the table of grader/estimate/gpus.def. `ninja gpu-bench` runs
 * these (jobs.py: rates) and prints them beside the table's. Each kernel does one thing so often that nothing else counts;
 * what it computes is stored, so that nothing is optimised away.
 */
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void nothing(float *out, int n)
{
    if (n < 0) {
        out[0] = 0.0f;
    }
}

/* ---- latencies: one thread, each step waits for the one before ------------------------------------------------------ */

// Goes on where the launch before stopped, so that it comes to no place twice.
extern "C" __global__ void follow(const int *next, int *place, int steps)
{
    int i = *place > 0 ? *place : 1;
#pragma unroll 1
    for (int k = 0; k < steps; k++) {
        i = next[i];
    }
    *place = i;
}

extern "C" __global__ void follow_shared(int *out, int steps)
{
    __shared__ int next[32];
    int lane = threadIdx.x % 32;
    next[lane] = (lane + 1) % 32;
    __syncwarp();
    int i = lane;
#pragma unroll 16
    for (int k = 0; k < steps; k++) {
        i = next[i];
    }
    out[threadIdx.x] = i;
}

extern "C" __global__ void follow_sum(float *out, int steps)
{
    float v = out[threadIdx.x];
#pragma unroll 32
    for (int k = 0; k < steps; k++) {
        v = v * v + 0.5f;
    }
    out[threadIdx.x] = v;
}

extern "C" __global__ void barriers(float *out, int steps)
{
#pragma unroll 16
    for (int k = 0; k < steps; k++) {
        __syncthreads();
    }
    out[threadIdx.x] = 0.0f;
}

/* ---- instructions: four independent chains a thread ----------------------------------------------------------------- */

extern "C" __global__ void multiply_add(float *out, int steps)
{
    float a = out[threadIdx.x], b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;
#pragma unroll 16
    for (int k = 0; k < steps; k++) {
        a = a * a + 0.5f;
        b = b * b + 0.5f;
        c = c * c + 0.5f;
        d = d * d + 0.5f;
    }
    out[threadIdx.x] = a + b + c + d;
}

/* ---- loads ---------------------------------------------------------------------------------------------------------- */

extern "C" __global__ void read_once(const float4 *in, float *out, int n)
{
    float sum = 0.0f;
#pragma unroll 4
    for (int i = THREAD; i < n; i += gridDim.x * blockDim.x) {
        float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 12345.0f) {
        out[0] = sum;
    }
}

// All warps read the same `count` (a power of two) words of 16 bytes, past the level-1 cache.
extern "C" __global__ void read_level_2(const float4 *in, float *out, int count, int rounds)
{
    float sum = 0.0f;
    int i = THREAD;
#pragma unroll 8
    for (int k = 0; k < rounds; k++) {
        float4 v = __ldcg(&in[i & (count - 1)]);
        sum += v.x + v.y + v.z + v.w;
        i += 8192;
    }
    if (sum == 12345.0f) {
        out[0] = sum;
    }
}

// Each request of a warp spans 32 words `stride` apart; all read the same 16 KB or less again. `step` is 8, which the
// compiler does not know: else it would read once and keep the values.
extern "C" __global__ void read_level_1(const float *in, float *out, int stride, int step, int rounds)
{
    float sum = 0.0f;
    const float *own = in + threadIdx.x % 32 * stride;
    int shift = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k += 8) {
        const float *base = own + shift;
        sum += base[0] + base[1024] + base[16] + base[1040];
        sum += base[2048] + base[3072] + base[2064] + base[3088];
        shift ^= step;
    }
    if (sum == 12345.0f) {
        out[0] = sum;
    }
}

extern "C" __global__ void read_shared(float *out, int stride, int rounds)
{
    __shared__ float s[1024 + 16];
    for (int i = threadIdx.x; i < 1040; i += blockDim.x) {
        s[i] = 1.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    const volatile float *own = s + threadIdx.x % 32 * stride;
#pragma unroll 16
    for (int k = 0; k < rounds; k++) {
        sum += own[k & 15];
    }
    if (sum == 12345.0f) {
        out[0] = sum;
    }
}

/* ---- stores --------------------------------------------------------------------------------------------------------- */

extern "C" __global__ void write_once(float4 *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    }
}

// Lanes `stride` words apart, in a piece of the array of `count` words (a power of two) that the level-2 cache holds.
extern "C" __global__ void write_level_2(float *out, int count, int stride, int rounds)
{
    int i = THREAD * stride;
#pragma unroll 8
    for (int k = 0; k < rounds; k++) {
        out[(i + k * 65536) & (count - 1)] = 1.0f;
    }
}

/* ---- atomic operations ---------------------------------------------------------------------------------------------- */

// The places come from memory, so that the compiler cannot add up the lanes of a warp first.
extern "C" __global__ void add_globally(const int *places, int *bins, int mask, int rounds)
{
    int place = places[THREAD], step = places[0] + 8192;
#pragma unroll 4
    for (int k = 0; k < rounds; k++) {
        atomicAdd(&bins[(place + k * step) & mask], 2);
    }
}

extern "C" __global__ void add_and_read_globally(const int *places, int *bins, int mask, int rounds)
{
    int place = places[THREAD], sum = 0;
#pragma unroll 4
    for (int k = 0; k < rounds; k++) {
        sum += atomicAdd(&bins[(place + k * 8192) & mask], 2);
    }
    if (sum == 12345) {
        bins[0] = sum;
    }
}

extern "C" __global__ void add_in_shared(const int *places, int *out, int stride, int step, int rounds)
{
    __shared__ int s[1024 + 16];
    for (int i = threadIdx.x; i < 1040; i += blockDim.x) {
        s[i] = 0;
    }
    __syncthreads();
    int place = threadIdx.x % 32 * stride + places[0];
#pragma unroll 8
    for (int k = 0; k < rounds; k++) {
        atomicAdd(&s[place + (k & 15)], step);
    }
    __syncthreads();
    if (s[threadIdx.x] == 12345) {
        out[0] = s[threadIdx.x];
    }
}

extern "C" __global__ void add_one_in_shared(const int *places, int *out, int stride, int rounds)
{
    __shared__ int s[1024 + 16];
    for (int i = threadIdx.x; i < 1040; i += blockDim.x) {
        s[i] = 0;
    }
    __syncthreads();
    int place = threadIdx.x % 32 * stride + places[0];
#pragma unroll 8
    for (int k = 0; k < rounds; k++) {
        atomicAdd(&s[place + (k & 15)], 1);
    }
    __syncthreads();
    if (s[threadIdx.x] == 12345) {
        out[0] = s[threadIdx.x];
    }
}
