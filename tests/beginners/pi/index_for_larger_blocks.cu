// cause: the block has 64 threads (line 5), but the index takes 256 elements per block, so elements 64 to 255 of each group of 256 are never written
// first: never_written elsewhere
// says: Elements 64..255 of dest were never written. In block (1,0,0), line 12 stores dest[256], and nothing else.
// asks: Which elements should line 12 store, and which does it store?
extern "C" __constant__ int mapper_block[3] = {64, 1, 1};

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * 256 + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * 256 + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) {
        float other = dest[id + i];
        dest[id] = dest[id] + other;
    }
}
