// cause: only indices above n return, so the thread with index n still works on an element that does not exist
// first: out_of_bounds guarded
// says: read a[1], but a has 1 element (0..0)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    a[i] = 2.0f * a[i];
}
