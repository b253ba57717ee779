// cause: reducer: id & (2*i) tests a single bit; a multiple of 2*i needs id & (2*i - 1) (line 18), so elements are changed that others read in the same step: race
// first: race_warp chain
// says: Line 18 asks for the bits of 2 * i alone
// asks: Which one changes it?
extern "C" __global__ void mapper(float *out, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k >= n) return;
    float x = k / (float)n;
    out[k] = 4 / (1 + x * x);
}

// bit operations instead of %
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int right = id + i;
    if ((id & (2 * i)) == 0 && right < n) {
        dest[id] += dest[right];
    }
}
