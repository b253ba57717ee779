// neighbouring threads far apart in a chunk of 65536 elements
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int chunk = i & ~65535, place = i;
    if (chunk + 65536 <= n)
        place = chunk + (i * 40503 & 65535);
    if (place < n)
        a[place] = 2.0f * a[place];
}
