// cause: + binds more tightly than <<, so the whole block gets the index 0
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    // 256 = 2^8, so shift instead of multiply
    int i = blockIdx.x << 8 + threadIdx.x;
    if (i < n) {
        a[i] += a[i];
    }
}
