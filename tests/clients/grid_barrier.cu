/* The barrier of a grid through the functions of the device runtime, as Numba calls them: all blocks write, then each
 * reads what the others wrote. */
#include <cstdio>

enum { BLOCKS = 4, THREADS = 64, COUNT = BLOCKS * THREADS, ROUNDS = 3 };

__global__ void mirror(int *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long grid = cudaCGGetIntrinsicHandle(cudaCGScopeGrid);
    for (int round = 0; round < ROUNDS; round++) {
        values[(round + 1) * COUNT + i] = values[round * COUNT + COUNT - 1 - i] + 1;
        cudaCGSynchronize(grid, 0);
    }
}

int main(int count, char **)
{
    static int values[(ROUNDS + 1) * COUNT];
    int *on_device, right = 0;
    for (int i = 0; i < COUNT; i++)
        values[i] = i;
    cudaMalloc(&on_device, sizeof values);
    cudaMemcpy(on_device, values, sizeof values, cudaMemcpyHostToDevice);
    void *arguments[] = {&on_device};
    if (count > 1)
        mirror<<<BLOCKS, THREADS>>>(on_device);
    else
        cudaLaunchCooperativeKernel((void *)mirror, BLOCKS, THREADS, arguments);
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        cudaMemcpy(values, on_device, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        right += values[ROUNDS * COUNT + i] == COUNT - 1 - i + ROUNDS;
    printf("%s %d\n", cudaGetErrorName(status), right == COUNT);
    cudaFree(on_device);
    return status != cudaSuccess;
}
