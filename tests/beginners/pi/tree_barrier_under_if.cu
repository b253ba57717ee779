// cause: pi_sum: the barrier of the tree is under the if (line 20), so only the threads that add arrive at it
// first: barrier_divergent branch
// says: Line 20 is inside the `if` of line 18
// asks: Which threads does the if in the message let through to the barrier, and what do the others do meanwhile?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    int id = blockIdx.x * 256 + t;
    float v = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        v = 4.0f / (1.0f + x * x);
    }
    s[t] = v;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) {
            s[t] += s[t + d];
            __syncthreads();
        }
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
    }
}

// only a few numbers are left: one thread adds them
extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        double all = 0.0;
        for (int b = 0; b < blocks; b++)
            all += partial[b];
        partial[0] = (float)all;
    }
}
