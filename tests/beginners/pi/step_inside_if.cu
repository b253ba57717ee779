// cause: the index of the while loop changes only inside the if
// first: fuel not_reached
// says: which changes k, is not reached in its turns
// asks: Which condition must be true so that k changes
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
    int stride = gridDim.x * blockDim.x;
    int k = blockIdx.x * blockDim.x + threadIdx.x;

    while (k + i < n) {
        if (k % (2 * i) == 0) {
            dest[k] += dest[k + i];
            k += stride;
        }
    }
}
