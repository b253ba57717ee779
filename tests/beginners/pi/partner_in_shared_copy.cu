// cause: the partner is taken from the block's shared copy, which has 256 cells; for i >= 256 the partner lies in another block and buf[t + i] is out of bounds
// first: out_of_bounds shared
// says: read buf[256], but buf has 256 elements (0..255)
// asks: How many elements does buf have, and from which parts is this index made?
extern "C" __global__ void mapper(float *dest, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g < n) {
        float x = (float)g / n;
        dest[g] = 4.0f / (1.0f + x * x);
    }
}

// shared memory is faster than global memory
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    __shared__ float buf[256];
    int t = threadIdx.x;
    int g = blockIdx.x * blockDim.x + t;
    if (g < n)
        buf[t] = dest[g];
    else
        buf[t] = 0.0f;
    __syncthreads();
    if (g % (2 * i) == 0 && g + i < n)
        dest[g] = buf[t] + buf[t + i];
}
