// cause: the shift by i multiplies by 2 to the power i instead of by 2i; the two agree only for i = 1 and i = 2
// first: wrong_value missing
// says: dest[12..15] are missing in dest[8], which has only dest[8..11].
// asks: (These are the elements as they were before the first step.) Which thread should add them, and at which line?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    long long id = t << i;
    if (id >= t && id + i < n)
        dest[id] += dest[id + i];
}
