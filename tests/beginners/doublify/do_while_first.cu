// cause: do ... while asks whether the element exists only after the first turn (line 10), so threads beyond n go out of bounds
// first: out_of_bounds after
// says: Line 12 asks i < n only after it
// asks: When does this loop ask its condition for the first time?
extern "C" __global__ void doublify(float *a, int n)
{
    int all = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    do {
        a[i] = 2.0f * a[i];
        i += all;
    } while (i < n);
}
