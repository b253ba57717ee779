// cause: counts down in an unsigned variable, which is never below 0
// first: out_of_bounds
// says: read a[4294967295], but a has 1 element (0..0)
// asks: Which values can this variable have? Can it ever be below 0?
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned int me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int step = blockDim.x * gridDim.x;
    // from the end of the array to the front
    for (unsigned int k = n - 1 - me; k >= 0; k -= step)
        a[k] *= 2.0f;
}
