// cause: `int t = threadIdx.y * blockDim.y + threadIdx.x;` multiplies the row by the number of rows (8) instead of the row's length blockDim.x (32): t only reaches 87, so elements 88 to 255 of a block are never written
// first: never_written overlap
// says: In block (0,0,0), line 13 stores dest[0..87].
// asks: Line 9 first: How many threads lie between one row of the block and the next one?
extern "C" __constant__ int mapper_block[3] = {32, 8, 1};

extern "C" __global__ void mapper(float *dest, int n)
{
    int t = threadIdx.y * blockDim.y + threadIdx.x;
    int id = blockIdx.x * blockDim.x * blockDim.y + t;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n)
        dest[id] += dest[id + i];
}
