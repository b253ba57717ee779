// cause: wrong brackets in the index (line 7): blockIdx.x * (blockDim.x + threadIdx.x) is 0 for every thread of block 0, so all of them change a[0] in a race and the others are left out
// first: race_global update
// says: line 7: blockIdx.x*(blockDim.x + threadIdx.x) = 0*(256 + 31) = 0
// asks: Which index does each of them compute?
__device__ int which_element()
{
    return blockIdx.x * (blockDim.x + threadIdx.x);
}

extern "C" __global__ void doublify(float *a, int n)
{
    int e = which_element();
    if (e >= n) return;
    a[e] *= 2.0f;
}
