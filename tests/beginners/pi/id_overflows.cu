// cause: 2 * i * t is computed in 32 bits and wraps round in the late steps, so threads far to the right get small or
// first: out_of_bounds overflow
// says: read dest[-2147483648], but dest has 65537 elements (0..65536)
// asks: How large does the index get before it is stored, and what is the largest value of its type?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

// thread t does pair number t
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int id = 2 * i * t;
    if (id + i < n) {
        dest[id] += dest[id + i];
    }
}
