// page: pi.md
// says: A file that has mapper and reducer and only one of these two is graded by the first plan.
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
    }
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    partial[0] = n;
}
