// cause: wants a block for every 256 elements
// first: never_written no_loop
// says: The grid has 256 threads for 257 elements, and line 11 is in no loop.
// asks: How many threads does the grid have, and how many elements has y?
extern "C" __constant__ int saxpy_items = 256;

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
