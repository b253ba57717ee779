// expect: at most 90 - one block for an array of any length
extern "C" __constant__ int doublify_items = 1 << 30;

extern "C" __global__ void doublify(float *a, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        a[i] *= 2;
    }
}
