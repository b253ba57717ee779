// cause: the loop runs while the index is beyond the end
// first: out_of_bounds inverted
// says: read a[1], but a has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of a, or the others?
extern "C" __global__ void doublify(float *a, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    while (t >= n) {
        a[t] *= 2;
        t += step;
    }
}
