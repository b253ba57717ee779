// cause: id + i <= n lets the thread through whose partner would be dest[n]
// first: out_of_bounds guarded
// says: read dest[3], but dest has 3 elements (0..2)
// asks: which indices does your condition let through?
extern "C" __global__ void mapper(float *dest, int n)
{
    // Each thread computes one element. Beware: id / n is an integer division unless you say otherwise.
    // --- your code ---
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < n)
    {
        double x = 1.0 * id / n;
        dest[id] = 4 / (1 + x * x);
    }
    // --- end ---
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // Step i adds n/(2*i) pairs. First make it right. Then ask: how many lanes of a warp have a pair to add when i = 16?
    // --- your code ---
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    int partner = id + i;
    if (id % (2 * i) == 0 && partner <= n)
    {
        dest[id] = dest[id] + dest[partner];
    }
    // --- end ---
}
