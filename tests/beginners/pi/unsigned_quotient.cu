// cause: the helper that computes the height returns unsigned, so the fraction is lost
// first: wrong_value typed
// says: The result of height (line 5) is of the type unsigned, and line 7 returns 4.0f / (x * x + 1.0f), a float or a double.
// asks: Which line makes a whole number of it?
__device__ unsigned height(float x)
{
    return 4.0f / (x * x + 1.0f);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n)
        return;
    dest[id] = height(id / (float)n);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
