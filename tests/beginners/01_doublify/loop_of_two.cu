// cause: a loop doubles each element twice
// first: wrong_value doubled
// says: Every wrong element is 4 times what it was: it was doubled twice.
// asks: Does one thread change it twice, or do two threads have the same index?
extern "C" __global__ void doublify(float *buf, int total)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2; k++)
        if (at < total)
            buf[at] *= 2;
}
