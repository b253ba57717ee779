// cause: the constant for the block is misspelt, so the block has 256 threads and the index counts 128
// first: launch_setting ignored
// says: The lab does not read vectoradd_block. Did you mean vector_add_block?
// asks: Did you mean vector_add_block?
extern "C" __constant__ int vectoradd_block[3] = {128, 1, 1};
#define THREADS 128
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
