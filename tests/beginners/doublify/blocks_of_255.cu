// cause: blocks start every 255 elements (blockDim.x - 1), so the last element of a block is also the first of the next
// first: race_global update
// says: i = blockIdx.x*(blockDim.x - 1) + threadIdx.x = 1*(256 - 1) + 0 = 255
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    if (i < n)
        a[i] = a[i] + a[i];
}
