// expect: wrong_value - second plan: the threads beyond n add their values too, so the sum is too large
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sums[256];
    int t = threadIdx.x;
    int id = blockIdx.x * 256 + t;
    float x = (float)id / n;
    sums[t] = 4.0f / (1.0f + x * x);
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = sums[0];
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float sums[256];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = t; k < blocks; k += 256) {
        sum += partial[k];
    }
    sums[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        partial[0] = sums[0];
    }
}
