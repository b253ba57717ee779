// cause: x is rounded to three digits
// first: near_miss
// says: Close, but beyond rounding
// asks: Which step loses digits?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos < n) {
        float x = (pos * 1000 / n) / 1000.0f;
        dest[pos] = 4.0f / (1.0f + x * x);
    }
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
