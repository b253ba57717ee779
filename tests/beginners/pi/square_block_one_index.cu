// cause: the block is 16 x 16 (line 5), but the index uses only threadIdx.x and blockDim.x, so only 16 elements per block are written and the others never
// first: launch_setting directions
// says: no line of the file uses threadIdx.y, which is all that tells 16 of them apart.
// asks: What is the index of line 13 made of, and which value has each part in the thread of the message?
extern "C" __constant__ int mapper_block[3] = {16, 16, 1};

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n)
        return;
    float x = (float)id / (float)n;
    dest[id] = 4.0f / (1.0f + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
