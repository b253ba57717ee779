// the first warp of each block does the block's elements
extern "C" __global__ void doublify(float *a, int n)
{
    if (threadIdx.x < 32)
        for (int k = threadIdx.x; k < 256; k += 32) {
            int i = blockIdx.x * 256 + k;
            if (i < n)
                a[i] = 2.0f * a[i];
        }
}
