// cause: thread 0 adds everything in the last step
// first: wrong_value missing
// says: Up to here, no thread of reducer stores to dest[0]. dest[1..3] are missing in dest[0], which has only dest[0].
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
    int t = threadIdx.x + blockDim.x * blockIdx.x;
    if (t == 0 && i * 2 >= n) {
        for (int k = 1; k < n; k++)
            dest[0] += dest[k];
    }
}
