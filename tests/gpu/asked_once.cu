/* host_program that is right on the emulated device alone: it asks once whether the work has ended, and goes on whatever the
 * answer is. There work is done when it is issued, so the answer is yes; on a GPU it is no, and the sums have not come yet.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t status = (call);                                                           \
        if (status != cudaSuccess) {                                                           \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status)); \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = a[i] + b[i];
        for (int k = 0; i == 0 && k < 20000; k++) {
            sum = sum + 0.0f;   // so that it takes a while on any GPU
        }
        c[i] = sum;
    }
}

int main()
{
    int n;
    if (scanf("%d", &n) != 1 || n < 1) {
        fprintf(stderr, "the input must begin with n\n");
        return 1;
    }

    // On both sides one piece of memory for all three arrays, one behind the other: a, b, c.
    size_t bytes = n * sizeof(float);
    float *host, *device;
    CHECK(cudaMallocHost(&host, 3 * bytes));
    CHECK(cudaMalloc(&device, 3 * bytes));
    for (int i = 0; i < 2 * n; i++) {
        if (scanf("%f", &host[i]) != 1) {
            fprintf(stderr, "too few numbers\n");
            return 1;
        }
    }

    CHECK(cudaMemcpyAsync(device, host, 2 * bytes, cudaMemcpyHostToDevice));
    vector_add<<<(n + 255) / 256, 256>>>(device, device + n, device + 2 * (size_t)n, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host + 2 * (size_t)n, device + 2 * (size_t)n, bytes, cudaMemcpyDeviceToHost));
    cudaError_t status = cudaStreamQuery(0);
    if (status != cudaSuccess && status != cudaErrorNotReady) {
        CHECK(status);
    }
    float *sums = (float *)malloc(bytes);
    if (sums == NULL) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    memcpy(sums, host + 2 * (size_t)n, bytes);

    for (int i = 0; i < n; i++) {
        printf("%.9g\n", sums[i]);
    }
    free(sums);
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
    return 0;
}
