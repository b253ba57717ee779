// cause: `#define WAVE 64`: a warp has 32 lanes, so the shuffle by 32 gives each lane its own value again (doubled), and only every second warp stores its sum
// first: wrong_value doubled
// says: This is twice the sum.
// asks: Line 10 first: From which lane does each lane get a value at this line, and does that lane exist?
#define WAVE 64

__device__ float wave_sum(float v)
{
    for (int offset = WAVE / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

template <int THREADS>
__device__ void block_sum(float v, float *result)
{
    __shared__ float sums[THREADS / WAVE];
    int lane = threadIdx.x % WAVE;
    int wave = threadIdx.x / WAVE;
    v = wave_sum(v);
    if (lane == 0)
        sums[wave] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = sums[0];
        for (int k = 1; k < THREADS / WAVE; k++)
            sum += sums[k];
        *result = sum;
    }
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    block_sum<256>(id < n ? 4.0f / (1.0f + x * x) : 0.0f, &partial[blockIdx.x]);
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float v = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        v += partial[k];
    block_sum<256>(v, &partial[0]);
}
