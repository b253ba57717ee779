// cause: the loop goes on while i <= n, so one thread uses element n
// first: out_of_bounds loop
// says: read b[1], but b has 1 element (0..0)
// asks: In which turn of the loop does the index leave b, and which condition lets the loop get there?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    while (i <= n) {
        c[i] = a[i] + b[i];
        i += stride;
    }
}
