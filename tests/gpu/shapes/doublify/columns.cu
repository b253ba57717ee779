// walks each 32768 elements by columns of 128
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int chunk = i & ~32767, k = i & 32767, place = i;
    if (chunk + 32768 <= n)
        place = chunk + k % 256 * 128 + k / 256;
    if (place < n)
        a[place] = 2.0f * a[place];
}
