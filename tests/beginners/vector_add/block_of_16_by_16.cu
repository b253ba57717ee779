// cause: a block of 16 x 16 threads, and an index made of threadIdx.x
// first: launch_setting directions
// says: The blocks of vector_add have 16 x 16 threads, but no line of the file uses threadIdx.y, which is all that tells 16 of them apart.
// asks:
extern "C" __constant__ int vector_add_block[3] = {16, 16, 1};
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
