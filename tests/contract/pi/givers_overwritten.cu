// page: pi.md
// says: anything may be left in the other elements
// expect: pass
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4 / (1 + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) {
        dest[id] += dest[id + i];
        dest[id + i] = __int_as_float(0x7fc00000);    // NaN
    }
}
