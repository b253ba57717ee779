// cause: all elements are added in the first step
// first: wrong_value too_far
// says: and holds the sum of all 31 elements already.
// asks: What does one launch of the reducer add?
extern "C" __global__ void mapper(float *dest, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k >= n) return;
    float x = float(k) / n;
    dest[k] = 4 / (x * x + 1);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int t = threadIdx.x + blockDim.x * blockIdx.x;
    if (i == 1 && t < n && t > 0)
        atomicAdd(&dest[0], dest[t]);
}
