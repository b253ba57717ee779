// cause: the thread's number is kept in a char, which ends at 127
// first: out_of_bounds narrow_index
// says: read a[-128], but a has 1 element (0..0)
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
extern "C" __global__ void doublify(float *a, int n)
{
    // thread numbers fit in one byte, saves registers
    char t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i < n)
        a[i] = 2.0f * a[i];
}
