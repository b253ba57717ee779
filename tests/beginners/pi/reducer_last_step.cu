// cause: the last step is left out
// first: wrong_value steps
// says: This is the sum of the elements 0..15 alone: the steps i = 1 to 8 are in it, and nothing from i = 16 on.
// asks: Which thread should add dest[16] to dest[0], and what keeps it from doing so?
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
    if (2 * i >= n) {
        return;
    }
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] += dest[k + i];
}
