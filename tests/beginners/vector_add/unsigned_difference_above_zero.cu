// cause: Line 9: n - i is unsigned because i is, so it is > 0 for every i but n itself; threads with i > n go out of bounds.
// first: out_of_bounds unsigned
// says: read b[2], but b has 1 element (0..0)
// asks: Of which type is the difference in the condition, and which value has it in the thread of the message?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    // something left for me?
    if (n - i > 0)
    {
        c[i] = a[i] + b[i];
    }
}
