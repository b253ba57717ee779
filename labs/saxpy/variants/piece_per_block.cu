// expect: pass - each block walks through a piece of its own, all its threads side by side
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int each = (n + gridDim.x - 1) / gridDim.x;
    int begin = blockIdx.x * each, end = min(begin + each, n);
    begin &= ~7;    // a sector belongs to one block
    end = end == n ? n : end & ~7;
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        y[i] = a * x[i] + y[i];
}
