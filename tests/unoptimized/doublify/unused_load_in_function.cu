// cause: the function loads the element behind its own and does not use it
// line: 4
// says: read a[1], but a has 1 element
__device__ float twice(const float *p, int i) { float v = p[i + 1]; return 2 * p[i]; }
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = twice(a, i);
}
