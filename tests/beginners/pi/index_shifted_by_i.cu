// cause: t << i is t times 2 to the power i
// first: wrong_value missing
// says: dest[12..15] are missing in dest[8], which has only dest[8..11].
// asks: Which thread should add them, and at which line?
extern "C" __global__ void mapper(float *dest, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k >= n) return;
    float x = float(k) / n;
    dest[k] = 4 / (x * x + 1);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int left = t << i;
    if (left + i < n)
        dest[left] += dest[left + i];
}
