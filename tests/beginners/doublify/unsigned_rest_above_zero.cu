// cause: if (n - i > 0) is computed as unsigned because i is unsigned: for i > n the difference wraps to a huge number and the thread goes on beyond the end
// first: out_of_bounds unsigned
// says: read a[2], but a has 1 element (0..0)
// asks: Of which type is the difference in the condition
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (n - i > 0) {
        a[i] = 2.0f * a[i];
    }
}
