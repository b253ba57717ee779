// expect: wrong_value tail - halves n without the remainder: an odd last element is never added
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = 2 * i * (blockIdx.x * blockDim.x + threadIdx.x);
    int pairs = n / (2 * i);
    if (blockIdx.x * blockDim.x + threadIdx.x < pairs)
        dest[id] += dest[id + i];
}
