// cause: mapper: x is not id / n but is moved on by a rounded step in each of up to 256 turns (line 17), so rounding errors pile up: not accurate enough
// first: near_miss
// says: Line 17, in a loop, adds dx to x again and again, and each addition may round
// asks: Which step loses digits?
#define PIECE 65536
extern "C" __constant__ int mapper_items = PIECE;

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * PIECE + threadIdx.x;
    int end = min(n, (int)(blockIdx.x + 1) * PIECE);
    float x = (float)id / n;
    float dx = (float)blockDim.x / n;
    while (id < end) {
        dest[id] = 4.0f / (1.0f + x * x);
        id += blockDim.x;
        x += dx;             // cheaper than dividing again
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t k = 2 * i * t;
    if (k + i < n)
        dest[k] += dest[k + i];
}
