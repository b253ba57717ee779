// cause: pi_finish reads beyond the end
// first: out_of_bounds loop
// says: read partial[1], but partial has 1 element (0..0)
// asks: In which turn of the loop does the index leave partial, and which condition lets the loop get there?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int id = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    float x = (float)id / n;
    s[t] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k <= blocks; k++)
            sum += partial[k];
        partial[0] = sum;
    }
}
