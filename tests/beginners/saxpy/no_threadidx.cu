// cause: begins at blockIdx.x * blockDim.x
// first: race_global whole_block
// says: the number of the thread is not in the index
// asks: All threads of a block use the same element of y. Which of them should?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
