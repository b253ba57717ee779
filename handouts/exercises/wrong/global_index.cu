/* A mistake to look at: the exercise of handouts/shared_memory.md with the index of the array for that of the cell. */

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float cells[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        cells[i] = a[i];
        a[i] = 2.0f * cells[i];
    }
}
