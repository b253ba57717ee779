// expect: pass - through shared memory, back to front, with one barrier
// through shared memory, back to front
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float box[256];
    int t = threadIdx.x;
    int base = blockIdx.x * 256;

    box[255 - t] = (base + t < n) ? a[base + t] : 0.0f;
    __syncthreads();

    int k = base + 255 - t;          // element 255 - t of this block is in box[t]
    if (k < n)
        a[k] = 2.0f * box[t];
}
