// cause: the setting is called vectorAdd_block instead of vector_add_block (line 6), so the lab does not read it: the blocks have 256 threads, and half of the elements are never written
// first: launch_setting ignored
// says: The lab does not read vectorAdd_block
// asks: Did you mean vector_add_block?
#define BLOCK 512
extern "C" __constant__ int vectorAdd_block[3] = {BLOCK, 1, 1};

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = BLOCK * blockIdx.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
