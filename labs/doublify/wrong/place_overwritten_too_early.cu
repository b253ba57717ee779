// expect: race_shared line=8 - a cell is reused before its reader has read it, and its new value leads out of bounds
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int places[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    places[t] = i;
    __syncthreads();
    int from = places[blockDim.x - 1 - t];
    if (from < n || from > n + 1024) {
        float value = a[from];
        a[from] = 2.0f * value;
    }
    places[t] = 1 << 28;
}
