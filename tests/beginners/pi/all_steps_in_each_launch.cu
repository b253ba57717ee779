// cause: the reducer loops over all further steps in one launch, although each launch must do only the step i; elements are added again by the next launches (n = 3), and nothing makes the blocks wait for each other
// first: wrong_value foreign
// says: dest[0] is stored in reducer 4 times by thread (0,0,0) of block (0,0,0), the last time at line 19.
// asks: How many of these 4 stores belong into one launch?
extern "C" __global__ void mapper(float *dest, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        float x = (float)idx / (float)n;
        dest[idx] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        if (idx % (2 * i) == 0 && idx + i < n)
            dest[idx] += dest[idx + i];
        __syncthreads();
        i <<= 1;
    }
}
