// cause: pi_sum: the id is clamped to n - 1 (line 11), so the threads beyond n add the last value again instead of 0
// first: wrong_value one_more
// says: This is the sum and, for each of the 225 threads that have no element, the value of the last element once more
// asks: Which id do these threads compute with?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    if (id > n - 1)
        id = n - 1;              // no element beyond the end
    float x = (float)id / n;
    s[t] = 4.0f / (1.0f + x * x);
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = t; k < blocks; k += 256)
        sum += partial[k];
    s[t] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[0] = s[0];
}
