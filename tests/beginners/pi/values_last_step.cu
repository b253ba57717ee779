// cause: the last step is left out; the array has another name
// first: wrong_value steps
// says: This is the sum of the elements 0..15 alone: the steps i = 1 to 8 are in it, and nothing from i = 16 on.
// asks: Which thread should add values[16] to values[0], and what keeps it from doing so?
extern "C" __global__ void mapper(float *values, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k >= n) return;
    float x = float(k) / n;
    values[k] = 4 / (x * x + 1);
}
extern "C" __global__ void reducer(float *values, int i, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (2 * i >= n) return;
    if (k % (2 * i) == 0 && k + i < n)
        values[k] += values[k + i];
}
