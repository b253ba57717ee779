// cause: doubled by + and again by *
// first: wrong_value doubled
// says: Every wrong element is 4 times what it was, and should be twice what it was.
// asks: Which operations make 4 of it, together or alone?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] += a[i];
        a[i] = a[i] * 2;
    }
}
