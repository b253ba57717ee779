// cause: 2*i*t does not fit in an int
// first: out_of_bounds overflow
// says: read dest[-2147483648], but dest has 65537 elements (0..65536)
// asks: How large does the index get before it is stored
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
    // thread t takes pair t, so that the first warps are busy
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int id = 2 * i * t;
    if (id + i < n) {
        dest[id] += dest[id + i];
    }
}
