// cause: Line 15 stands outside of the guard: threads without an element store 0 at data[i] with i >= n, out of bounds.
// first: out_of_bounds guard
// says: write data[1], but data has 1 element (0..0)
// asks: How many threads does the grid have, and how many elements are there?
extern "C" __global__ void doublify(float *data, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float result;

    if (n > i) {
        result = data[i] * 2.0f;
    } else {
        result = 0.0f;      // nothing to do, pad with zero
    }
    data[i] = result;
}
