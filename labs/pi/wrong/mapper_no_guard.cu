// expect: out_of_bounds line=6 - the mapper has no guard
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    dest[id] = 4.0f / (1.0f + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) {
        dest[id] += dest[id + i];
    }
}
