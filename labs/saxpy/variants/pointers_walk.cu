// expect: pass - two pointers walk through the arrays
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const float *end = x + n;
    y += first;
    for (x += first; x < end; x += stride, y += stride)
        *y = fmaf(a, *x, *y);
}
