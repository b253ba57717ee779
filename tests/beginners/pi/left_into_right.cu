// cause: reducer: adds the left element to the right one (line 18) instead of the other way round, so the sum does not arrive in dest[0]
// first: wrong_value missing
// says: Line 18 stores to out[1], for example.
// asks: Which thread should add them, and at which line?
extern "C" __global__ void mapper(float *out, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k >= n) return;
    float x = k / (float)n;
    out[k] = 4 / (1 + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = blockIdx.x * blockDim.x + threadIdx.x;
    id = id * 2 * i;
    if (id + i < n)
        dest[id + i] += dest[id];
}
