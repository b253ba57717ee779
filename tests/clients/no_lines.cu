// Without -lineinfo there are no source lines: `lockstep exec` must say so, and name lines of the PTX and the parameter's
// position.
__global__ void plain(int *values)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main()
{
    int *values;
    cudaMalloc(&values, 100 * sizeof(int));
    plain<<<2, 64>>>(values);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
