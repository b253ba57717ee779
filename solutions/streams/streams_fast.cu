/* streams for an array of any size: the device needs room for three pieces only.
 *
 * Each of the three streams has a piece of memory on the device, which it uses again and again. No event is needed: the
 * stream does its work in order, so the next piece is copied in when the one before it has been copied out. Three streams
 * are enough for three engines: while one stream copies in, one computes and one copies out.
 */
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
        steps[i] = count;
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
    const int STREAMS = 3, PIECES = 24;
    int size = (n + PIECES - 1) / PIECES;
    int *d_start, *d_steps;
    CHECK(cudaMallocHost(&start, bytes));
    CHECK(cudaMallocHost(&steps, bytes));
    CHECK(cudaMalloc(&d_start, STREAMS * size * sizeof(int)));
    CHECK(cudaMalloc(&d_steps, STREAMS * size * sizeof(int)));
    if (start == NULL || steps == NULL) {
        fprintf(stderr, "start and steps have no memory yet\n");
        return 1;
    }
    read_numbers(start, n);

    cudaStream_t streams[STREAMS];
    for (int k = 0; k < STREAMS; k++) {
        CHECK(cudaStreamCreate(&streams[k]));
    }
    for (int k = 0; k * size < n; k++) {
        int first = k * size;
        int count = n - first < size ? n - first : size;
        int room = k % STREAMS * size;   // where this stream's piece of memory begins
        cudaStream_t stream = streams[k % STREAMS];
        CHECK(cudaMemcpyAsync(d_start + room, start + first, count * sizeof(int), cudaMemcpyHostToDevice, stream));
        count_steps<<<(count + 127) / 128, 128, 0, stream>>>(d_start + room, d_steps + room, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(steps + first, d_steps + room, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaDeviceSynchronize());

    for (int i = 0; i < n; i++) {
        printf("%d\n", steps[i]);
    }

    for (int k = 0; k < STREAMS; k++) {
        CHECK(cudaStreamDestroy(streams[k]));
    }
    CHECK(cudaFree(d_start));
    CHECK(cudaFree(d_steps));
    CHECK(cudaFreeHost(start));
    CHECK(cudaFreeHost(steps));
    return 0;
}
