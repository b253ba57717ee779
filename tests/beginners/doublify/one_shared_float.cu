// cause: Line 7 declares one shared float for the whole block, and in line 11 all threads store their own element into it (race in shared memory): all get the value of one of them.
// first: race_warp one_variable
// says: there is one such variable for the whole block, and every thread that comes here uses it
// asks: How many variables tmp are there for a block
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float tmp;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        tmp = a[i];
    __syncthreads();
    if (i < n)
        a[i] = tmp * 2.0f;
}
