// cause: a loop doubles each element twice
// first: wrong_value doubled
// says: Every wrong element is 4 times what it was, and should be twice what it was.
// asks: Which operations make 4 of it, together or alone?
extern "C" __global__ void doublify(float *buf, int total)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2; k++)
        if (at < total)
            buf[at] *= 2;
}
