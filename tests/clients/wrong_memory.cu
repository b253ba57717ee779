// A kernel that is given memory of the host, and a host that uses memory of the device: wrong_memory WHICH.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void twice(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] = 2 * values[i]; // line 11
}

__global__ void own(int *out, int n)
{
    volatile int *mine = (int *)malloc(n * sizeof(int)); // line 16
    mine[2000] = threadIdx.x;                            // line 17
    out[threadIdx.x] = mine[2000];
}

__global__ void give_back(int *out)
{
    for (int turn = 0; turn < 100; turn++) {
        volatile int *mine = (int *)malloc(4096);
        mine[0] = turn;
        out[threadIdx.x] = mine[0];
        free((void *)mine);
    }
}

int main(int, char **arguments)
{
    const char *which = arguments[1];
    static float fixed[256];
    float local[256], *heap = (float *)calloc(256, 4), *block = (float *)malloc(64 << 20), *device, *freed;
    std::vector<float> vector(256);
    memset(local, 0, sizeof local);
    cudaMalloc(&device, 1024);
    cudaMemset(device, 0, 1024);
    cudaMalloc(&freed, 2048);
    float *pointer = !strcmp(which, "local")    ? local
                     : !strcmp(which, "heap")   ? heap
                     : !strcmp(which, "fixed")  ? fixed
                     : !strcmp(which, "vector") ? vector.data()
                     : !strcmp(which, "block")  ? block
                     : !strcmp(which, "handle") ? (float *)&device
                     : !strcmp(which, "null")   ? nullptr
                     : !strcmp(which, "far")    ? (float *)nullptr + 300000
                                                : device;
    if (!strcmp(which, "host reads"))
        printf("%f\n", device[3]); // line 52
    if (!strcmp(which, "host writes")) {
        cudaFree(freed);
        freed[2] = 1;
    }
    if (!strcmp(which, "host null"))
        *(volatile int *)nullptr = 1;
    if (!strcmp(which, "no heap"))
        own<<<1, 256>>>((int *)device, 20000);
    else if (!strcmp(which, "heap again"))
        give_back<<<1, 64>>>((int *)device);
    else
        twice<<<1, 256>>>(pointer, 256);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 1;
}
