// cause: =+ for +=
// first: wrong_value missing
// says: dest[0..2] are missing in dest[0], which has only dest[3].
// asks: Read the operator character by character: what does it store?
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
    // --- your code ---
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id % (i + i) == 0)
        if (id + i < n)
            dest[id] =+ dest[id + i];
    // --- end ---
}
