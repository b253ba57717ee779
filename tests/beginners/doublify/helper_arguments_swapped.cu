// cause: line 14 passes the index and the length in exchanged order
// first: out_of_bounds
// says: a has 1 element
// asks: How does this index or address come about
__device__ void scale(float *values, int length, int at)
{
    if (at < length)
        values[at] *= 2.0f;
}

extern "C" __global__ void doublify(float *a, int n)
{
    scale(a, blockIdx.x * blockDim.x + threadIdx.x, n);
}
