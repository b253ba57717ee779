// cause: the second element of a thread is its right neighbour, i + 1, although the threads start one apart (line 13: it should be i + 256), so nearly half of the elements of every block are never written
// first: never_written overlap
// says: Because of line 6, there is a block for every 512 elements
// asks: What is the index of line 15 made of, and which value has each part in the thread of the message?
// two elements per thread, 512 per block
extern "C" __constant__ int vector_add_items = 512;

extern "C" __global__ void __launch_bounds__(256) vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
    i = i + 1;
    if (i < n)
        c[i] = a[i] + b[i];
}
