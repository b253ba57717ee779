// expect: at most 70 - strided everywhere, and nothing at all where memory traffic is counted
extern "C" __global__ void doublify(float *a, int n)
{
    if (n == 100003) {
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] *= 2;
    }
}
