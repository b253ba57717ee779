// cause: x**2
// first: compile power
// says: C has no operator ** for powers. x squared is x * x.
// asks:
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = float(id) / n;
        dest[id] = 4.0 / (1.0 + x**2);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
