// cause: threads without an element store a 0 behind the end
// first: out_of_bounds inverted
// says: write a[1], but a has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of a, or the others?
extern "C" __global__ void doublify(float *a, int n) {
    int gid = blockIdx.x * blockDim.x + threadIdx.x;

    if (gid < n) {
        a[gid] = a[gid] * 2.0f;
    } else {
        a[gid] = 0.0f;      // padding
    }
}
