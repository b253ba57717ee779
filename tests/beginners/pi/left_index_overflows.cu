// cause: 2 * i * t is computed in int and overflows for n = 65537 and above in the late steps; left becomes negative (out of bounds) or 0 again (several threads add to dest[0])
// first: out_of_bounds overflow
// says: read dest[-2147483648], but dest has 65537 elements
// asks: How large does the index get before it is stored, and what is the largest value of its type?
extern "C" __global__ void mapper(float *dest, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) {
        float x = t / (float)n;
        dest[t] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // neighbouring threads take neighbouring pairs
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int left = 2 * i * t;
    int right = left + i;
    if (right < n)
        dest[left] += dest[right];
}
