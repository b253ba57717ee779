// cause: do … while asks only after the first turn
// first: out_of_bounds after
// says: read a[1], but a has 1 element (0..0)
// asks: When does this loop ask its condition for the first time?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int step = gridDim.x * blockDim.x;
    do {
        a[i] = a[i] + a[i];
        i += step;
    } while (i < n);
}
