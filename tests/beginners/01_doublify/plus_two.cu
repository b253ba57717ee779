// cause: adds 2 instead of doubling
// first: wrong_value other
// says: 16 of 16 elements are wrong.
// asks: Take one wrong element. What do you get when you divide it by its input?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 2;
}
