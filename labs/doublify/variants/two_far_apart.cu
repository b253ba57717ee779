// expect: pass - two elements for each thread, 256 apart, each with a condition of its own
extern "C" __constant__ int doublify_items = 512;

extern "C" __global__ void doublify(float *data, int len)
{
    // every thread takes two, 256 apart
    int p = blockIdx.x * 512 + threadIdx.x;
    int q = p + 256;
    if (p < len) data[p] = 2 * data[p];
    if (q < len) data[q] = 2 * data[q];
}
