// expect: pass - the factor comes from constant memory, by an index that differs from lane to lane
__constant__ float factor[4] = {2.0f, 2.0f, 2.0f, 2.0f};

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] *= factor[threadIdx.x % 4];
    }
}
