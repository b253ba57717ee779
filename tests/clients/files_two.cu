// The other file of files_one.cu.
__device__ int counter;

__device__ float scale(float x)
{
    return 3 * x;
}

int read_counter()
{
    int value = -1;
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    return value;
}
