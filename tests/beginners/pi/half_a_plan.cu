// cause: pi_sum without pi_finish
// first: kernel_missing plan
// says: Your file defines pi_sum but not pi_finish. The plan "fused" needs all of its kernels, so mapper and reducer
// asks: Which kernels belong to the plan that you have begun
extern "C" __global__ void mapper(float *dest, int n)
{
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float x[256];
    int t = threadIdx.x;
    int id = blockIdx.x * 256 + t;
    float v = (float)id / n;
    x[t] = id < n ? 4.0f / (1.0f + v * v) : 0.0f;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) x[t] += x[t + s];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = x[0];
}
