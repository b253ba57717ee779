// cause: a copy is doubled, nothing is stored
// first: never_written
// says: a holds what it held before the launch: no element changed.
// asks: Which thread should have changed the elements that the message names, and what kept it from doing so?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i];
        x = x * 2;
    }
}
