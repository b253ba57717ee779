// cause: Line 9: the kernel is called vectorAdd, but the lab launches vector_add, so the kernel is missing.
// first: kernel_missing
// says: kernel `vector_add` not found; your file defines vectorAdd. Is vectorAdd misspelt?
// asks:
/**
 * Computes the vector addition of A and B into C. The 3 vectors have the same
 * number of elements numElements.
 */
extern "C" __global__ void vectorAdd(const float *A, const float *B, float *C, int numElements)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < numElements)
    {
        C[i] = A[i] + B[i];
    }
}
