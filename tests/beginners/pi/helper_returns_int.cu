// cause: the helper returns int, so every value loses its fraction and becomes 4, 3 or 2
// first: wrong_value typed
// says: The result of strip (line 5) is of the type int, and line 7 returns 4.0f / (1.0f + x * x), a float or a double.
// asks: Which line makes a whole number of it?
__device__ int strip(float x)
{
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        dest[k] = strip((float)k / n);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] += dest[k + i];
}
