// cause: extern "C" __constant__ int doublify_block[3] = {256, 4, 1}; asks for 1024 threads in four rows, but the index is made of threadIdx.x alone, so four threads double each element (race) and the grid is too small for the rest
// first: launch_setting directions
// says: The blocks of doublify have 256 x 4 threads, but no line of the file uses threadIdx.y
// asks: Which part of their numbers differs, and where does the kernel use it?
// 256 threads, 4 elements for each of them
extern "C" __constant__ int doublify_block[3] = {256, 4, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2.0f * a[i];
}
