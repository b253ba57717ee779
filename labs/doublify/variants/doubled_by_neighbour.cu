// expect: pass - each lane doubles its neighbour's element, by two shuffles
#define ALL 0xffffffffu
extern "C" __global__ void doublify(float *a, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    bool ok = i < n;
    float mine = 0.0f;
    if (ok) mine = a[i];
    float other = __shfl_xor_sync(ALL, mine, 1) * 2.0f;
    mine = __shfl_xor_sync(ALL, other, 1);
    if (ok) a[i] = mine;
}
