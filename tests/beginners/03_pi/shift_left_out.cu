// cause: the shift by i multiplies by 2 to the power i instead of by 2i; the two agree only for i = 1 and i = 2
// first: x
// says: x
// asks: x
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
