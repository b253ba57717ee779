// cause: does not compile: a __shared__ array cannot be given values in its declaration (line 7)
// first: compile shared_init
// says: Shared memory cannot be initialised where it is declared: let the threads store its values, then wait at a barrier
// asks: 
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256] = {0.0f};       // threads beyond n contribute 0
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    if (id < n) {
        float x = (float)id / n;
        s[t] = 4.0f / (1.0f + x * x);
    }
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
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
