// cause: Line 8 divides gridDim.x by blockDim.x instead of multiplying: the whole-number quotient is 0 for grids under 256 blocks, so i never grows and the loop in line 10 never ends (and the stride is 1 for n = 65537 and 100003, a race).
// first: fuel stays
// says: i is 0 and stays 0, so the condition i < n stays true
// asks: from when on does it stay the same?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x / blockDim.x;

    for (; i < n; i += stride)
        a[i] *= 2.0f;
}
