// cause: 1 / n is a quotient of ints
// first: wrong_value integer
// says: Every element is 4, so x was always 0.
// asks: What is 1/1000 when both are int?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    float width = 1 / n;
    if (pos < n) {
        float x = pos * width;
        dest[pos] = 4.0f / (1.0f + x * x);
    }
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
