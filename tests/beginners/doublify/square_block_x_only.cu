// cause: The block is 16 x 16 (line 6) but line 10 uses only x, so the 16 rows of threads double the same 16 elements (race, already with n = 1) and each block covers 16 instead of 256.
// first: launch_setting directions
// says: no line of the file uses threadIdx.y, which is all that tells 16 of them apart
// asks: Which part of their numbers differs
// square blocks like on the slide
extern "C" __constant__ int doublify_block[3] = {16, 16, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2.0f * a[i];
}
