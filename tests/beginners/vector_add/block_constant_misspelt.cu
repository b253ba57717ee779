// cause: Line 6: the variable is called vec_add_block instead of vector_add_block, so the lab ignores it and launches blocks of 256 threads; the index with 512 leaves out the elements 256 to 511 of every 512 (n > 256).
// first: launch_setting ignored
// says: The lab does not read vec_add_block.
// asks: Did you mean vector_add_block?
#define THREADS 512
extern "C" __constant__ int vec_add_block[3] = {THREADS, 1, 1};

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
