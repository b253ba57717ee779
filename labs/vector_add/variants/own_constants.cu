/* Blocks of two directions, and constants of its own whose names are like those that the lab reads. */
#define BLOCK_THREADS 256

extern "C" __constant__ int vector_add_block[3] = {32, 8, 1};
extern "C" __constant__ int vector_add_items = 1024;
__constant__ int vector_items = 4;
__constant__ int thread_items[1] = {BLOCK_THREADS};

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int first = blockIdx.x * vector_items * BLOCK_THREADS + threadIdx.y * blockDim.x + threadIdx.x;
    for (int k = 0; k < vector_items; k++) {
        int i = first + k * thread_items[0];
        if (i < n)
            c[i] = a[i] + b[i];
    }
}
