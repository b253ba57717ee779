// cause: x is the middle of the strip
// first: wrong_value middle
// says: These are the values at x = (id + 1/2)/n, the middles of the strips.
// asks: For which x does the contract measure the height of strip id? Where does your x lie?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    float width = 1.0f / n;
    if (pos < n) {
        float mid = (pos + 0.5f) * width;
        dest[pos] = 4.0f / (1.0f + mid * mid);
    }
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
