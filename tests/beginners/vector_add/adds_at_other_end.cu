// cause: adds b to the element at the other end
// first: race_warp
// says: they are in one warp, and still nothing makes one wait for the other
// asks: Does the one thread need what the other one stores? Which index do both lines compute?
extern "C" __global__ void vector_add(const float *A, const float *B, float *C, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        C[i] = A[i];
        C[n - 1 - i] += B[i];
    }
}
