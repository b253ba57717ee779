// cause: n / (2*i) rounds down: the last pair, whose group is not full, is left out
// first: wrong_value tail
// says: Of the 2 launches of reducer up to here that store to dest, number 1 is the last that stores to dest[28].
// asks: To which element, and in which step, is the last one added?
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
    int pair = threadIdx.x + blockIdx.x * blockDim.x;
    int pairs = n / (2 * i);
    if (pair < pairs)
    {
        int id = pair * 2 * i;
        dest[id] += dest[id + i];
    }
    // --- end ---
}
