// cause: total starts with partial[0] and the loop begins at 0, so partial[0] is counted twice
// first: wrong_value doubled
// says: This is the total and partial[0] once more.
// asks: Where is partial[0] added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float values[256];
    int me = threadIdx.x;
    int id = blockIdx.x * 256 + me;
    if (id < n) {
        float x = (float)id / n;
        values[me] = 4.0f / (1.0f + x * x);
    } else {
        values[me] = 0.0f;
    }
    for (int w = 1; w < 256; w *= 2) {
        __syncthreads();
        if (me % (2 * w) == 0)
            values[me] += values[me + w];
    }
    if (me == 0)
        partial[blockIdx.x] = values[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float total = partial[0];
        for (int k = 0; k < blocks; k++)
            total += partial[k];
        partial[0] = total;
    }
}
