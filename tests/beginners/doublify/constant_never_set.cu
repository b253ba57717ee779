// cause: __constant__ float factor; is never given a value (the lab sets none), so it is 0 and a[i] = factor * a[i]; stores zeros
// first: wrong_value unused
// says: Every wrong element is 0, with other inputs as well.
// asks: Which value has the variable that the message names, and who gives it that value?
__constant__ float factor;      // set with cudaMemcpyToSymbol to 2.0f

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        a[i] = factor * a[i];
    }
}
