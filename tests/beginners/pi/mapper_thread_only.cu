// cause: the mapper's index lacks the block
// first: never_written overlap
// says: In block (1,0,0), line 10 stores dest[0..255].
// asks: What is the index of line 10 made of, and which value has each part in the thread of the message?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
