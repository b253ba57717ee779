// expect: pass - each lane gets by a shuffle the value that it passes in
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned lane = threadIdx.x % warpSize;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0.f;
    if (i < n) v = a[i];
    // add what lane number `lane` holds (that's me)
    v += __shfl_sync(0xffffffffu, v, lane);
    if (i < n) a[i] = v;
}
