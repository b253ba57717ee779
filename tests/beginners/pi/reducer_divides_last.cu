// cause: the last step divides by n
// first: wrong_value divided
// says: This is the sum divided by n.
// asks: Who divides by n, and when?
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
        dest[k] += dest[k + i];
    if (k == 0 && 2 * i >= n)
        dest[0] /= n;
}
