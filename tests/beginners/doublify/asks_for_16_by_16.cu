// cause: the block has 16 x 16 threads, and the index leaves threadIdx.y out, so 16 threads double each element
// first: launch_setting directions
// says: The blocks of doublify have 16 x 16 threads, but no line of the file uses threadIdx.y
// asks: Which part of their numbers differs, and where does the kernel use it?
extern "C" __constant__ int doublify_block[3] = {16, 16, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
