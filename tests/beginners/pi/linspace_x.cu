// cause: x = id / (n - 1)
// first: wrong_value formula
// says: Every element has the value of 4 / (1 + x*x) with x = id / (n - 1).
// asks: Compare the formula in the message with the one of the contract.
extern "C" __global__ void mapper(float *dest, int n)
{
    # define N_THREADS_TOTAL (gridDim.x * blockDim.x)
    // like x = np.linspace(0, 1, n)
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += N_THREADS_TOTAL)
    {
        float x = (float)k / (float)(n - 1);
        dest[k] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
