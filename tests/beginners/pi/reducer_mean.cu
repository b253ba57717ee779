// cause: the reducer stores the mean of two elements
// first: wrong_value divided
// says: and holds their sum divided by 4, which is their mean.
// asks: Which line divides?
extern "C" __global__ void mapper(float *dest, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k >= n) return;
    float x = float(k) / n;
    dest[k] = 4 / (x * x + 1);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = (dest[k] + dest[k + i]) / 2;
}
