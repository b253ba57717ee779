// eight blocks for the timing case, neighbouring threads on neighbouring elements
extern "C" __constant__ int doublify_items = 1048576;

extern "C" __global__ void doublify(float *a, int n)
{
    for (int k = threadIdx.x; k < 1048576; k += blockDim.x) {
        int i = blockIdx.x * 1048576 + k;
        if (i < n)
            a[i] = 2.0f * a[i];
    }
}
