// cause: the parameters i and n are declared in the wrong order, so the kernel takes n for the distance and i for the length and never adds anything
// first: wrong_value missing
// says: Up to here, no thread of reducer stores to dest[0].
// asks: Which name belongs to which argument?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int n, int i)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0) {
        if (id + i < n) {
            dest[id] = dest[id] + dest[id + i];
        }
    }
}
