// cause: Line 7 keeps threadIdx.x in a char, which is signed: 128..255 become -128..-1, so those threads use a negative index in block 0 (out of bounds) and elements of the block before in the others (race).
// first: out_of_bounds narrow_index
// says: read a[-128], but a has 1 element
// asks: Of which type is the variable that the index is made of
extern "C" __global__ void doublify(float *a, int n)
{
    char t = threadIdx.x;      // fits, a block has only 256 threads
    int  b = blockIdx.x;
    int  i = b * (int)blockDim.x + t;

    if (i < n)
        a[i] *= 2;
}
