// cause: the guard compares the place in the block with n instead of the global index, so the last block runs past the
// first: out_of_bounds guarded
// says: read array[257], but array has 257 elements (0..256)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that
extern "C" __global__ void doublify(float *array, int count)
{
    int offset = blockDim.x * blockIdx.x;
    if (threadIdx.x < count) {
        array[offset + threadIdx.x] = array[offset + threadIdx.x] * 2.0f;
    }
}
