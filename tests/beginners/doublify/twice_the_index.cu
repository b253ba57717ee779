// cause: does not store twice the element but twice its index
// first: wrong_value unused
// says: Nothing that is read from a reaches the result. Every wrong element is 2 times its index.
// asks: Which line should use a?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * i;
    }
}
