// cause: int i = blockIdx.x << 8 + threadIdx.x; shifts by 8 + threadIdx.x because + binds tighter than <<; all threads of block 0 get i = 0 and race on a[0]
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    // Each thread doubles one element. Which one is yours? Which threads have nothing to do?
    // --- your code ---
    int i = blockIdx.x << 8 + threadIdx.x;   // 256 = 2^8
    if (i < n)
    {
        a[i] = a[i] * 2.0f;
    }
    // --- end ---
}
