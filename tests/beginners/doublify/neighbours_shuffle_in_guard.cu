// cause: float w = __shfl_xor_sync(FULL, v, 1); stands inside if (i < n): for odd n the partner of the last element's lane never reaches the shuffle, so the last element gets an undefined value
// first: uninitialized shuffle
// says: a[0] is computed from what the shuffle at line 13 gets from lane 1
// asks: Which lanes are still there when this shuffle runs, and what should the others contribute?
#define FULL 0xffffffff

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i];
        // my neighbour doubles mine and I double his
        float w = __shfl_xor_sync(FULL, v, 1);
        w = w * 2.0f;
        a[i] = __shfl_xor_sync(FULL, w, 1);
    }
}
