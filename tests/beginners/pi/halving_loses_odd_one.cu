// cause: the halving of pi_finish rounds down, so when the number of sums is odd (257 blocks at n = 65537) the last one is never added
// first: wrong_value tail
// says: This is the sum of partial[0..255], and there are 257 partial sums.
// asks: How do the others get added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sh[256];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + tid;
    sh[tid] = 0.f;
    if (i < n) {
        float x = (float)i / (float)n;
        sh[tid] = 4.f / (1.f + x * x);
    }
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sh[tid] += sh[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = sh[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    // same thing, directly in global memory
    for (int s = blocks / 2; s > 0; s >>= 1) {
        for (int k = threadIdx.x; k < s; k += blockDim.x) {
            partial[k] += partial[k + s];
        }
        __syncthreads();
    }
}
