// cause: the block has its threads along y, and the index knows x alone
// first: launch_setting directions
// says: The blocks of vector_add have 1 x 256 threads, but no line of the file uses threadIdx.y, which is all that tells 256 of them apart.
// asks:
extern "C" __constant__ int vector_add_block[3] = {1, 256, 1};
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
