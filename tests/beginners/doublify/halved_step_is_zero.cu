// cause: the step of the loop is gridDim.x >> 8, which is 0 for fewer than 256 blocks
// first: fuel stays
// says: k is 0 and stays 0, so the condition k < n stays true
// asks: from when on does it stay the same?
extern "C" __global__ void doublify(float *a, int n)
{
    int hop = gridDim.x >> 8;

    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += hop)
        a[k] = 2.0f * a[k];
}
