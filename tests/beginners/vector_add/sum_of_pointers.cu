// cause: the pointers are added, not their elements
// first: compile pointer
// says: a and b are pointers, the addresses of two arrays, which cannot be added. Which element of each does this thre
// asks:
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c = a + b;
    }
}
