// cause: Line 9 rounds down: unless n is a multiple of the block size there are more threads than elements, chunk is 0, and nothing is written.
// first: never_written not_reached
// says: No element of c was ever written.
// asks: What sends the thread in the message past the store
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int id      = blockIdx.x * blockDim.x + threadIdx.x;
    int workers = gridDim.x * blockDim.x;
    int chunk   = n / workers;            // my share
    int from    = id * chunk;
    int to      = from + chunk;

    for (int i = from; i < to; i++)
        c[i] = a[i] + b[i];
}
