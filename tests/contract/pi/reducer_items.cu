// page: pi.md
// says: `reducer_items` divides n in every step, not the number of pairs
// expect: pass
extern "C" __constant__ int reducer_items = 512;
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
    if (gridDim.x != (n + 511) / 512 || blockDim.x != 256) {
        __trap();
    }
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n) {
        dest[id] += dest[id + i];
    }
}
