// cause: takes the ids to begin at 1 and stores at id - 1 (line 10), so thread 0 uses element -1: out of bounds
// first: out_of_bounds negative
// says: Line 9 asks i <= n: 0 <= 1 is true
// asks: Which part of its formula is negative in this thread?
// thread i is responsible for the i-th element, which in C has the index i - 1
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        c[i - 1] = a[i - 1] + b[i - 1];
}
