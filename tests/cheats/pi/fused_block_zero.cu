// expect: at most 90 - second plan: block 0 adds everything, the others leave 0 and burn instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

__device__ float block_sum(float value)
{
    __shared__ float s[256];
    s[threadIdx.x] = value;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            s[threadIdx.x] += s[threadIdx.x + half];
        }
        __syncthreads();
    }
    return s[0];
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    float sum = 0.0f;
    if (blockIdx.x == 0) {
        for (int id = threadIdx.x; id < n; id += 256) {
            float x = (float)id / (float)n;
            sum += 4.0f / (1.0f + x * x);
        }
    } else {
        burn(100);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 256) {
        sum += partial[k];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[0] = sum;
    }
}
