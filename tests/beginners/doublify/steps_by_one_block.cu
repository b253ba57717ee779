// cause: the loop advances by one block and not by the whole grid, so elements are doubled by several blocks
// first: race_global short_step
// says: the loop in line 10 goes on by step, which is blockDim.x (line 8)
// asks: Which thread takes that one in its first turn?
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned step = blockDim.x;

    for (unsigned k = tid; k < n; k += step)
        a[k] = a[k] + a[k];
}
