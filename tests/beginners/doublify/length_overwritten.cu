// cause: the kernel sets n to 16
// first: out_of_bounds changed
// says: read a[1], but a has 1 element (0..0)
// asks: does the name in the condition have when this thread asks, and which value did the launch pass?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    n = 16;     // small case first

    if (i < n) {
        a[i] = a[i] * 2.0f;
    }
}
