// Calls that fail and whose status no code looks at, or somebody does; programs that wait in the end, or do not.
// For clients_test.py: ignored WHAT
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                             \
    do {                                                        \
        cudaError_t status_ = (call);                           \
        if (status_ != cudaSuccess) {                           \
            fprintf(stderr, "%s\n", cudaGetErrorString(status_)); \
            exit(1);                                            \
        }                                                       \
    } while (0)

__constant__ int powers[8];

__global__ void fill(int *out, int value)
{
    out[threadIdx.x] = value;
}

int main(int argc, char **argv)
{
    const size_t too_many = (size_t)1 << 50;
    const char *what = argc > 1 ? argv[1] : "";
    int *numbers, *more = nullptr, values[32] = {0};
    cudaStream_t stream;
    cudaEvent_t event;
    CHECK(cudaMalloc(&numbers, sizeof values));
    CHECK(cudaStreamCreate(&stream));
    if (!strcmp(what, "allocation"))
        cudaMalloc(&more, too_many); // a mistake
    if (!strcmp(what, "symbol"))
        cudaMemcpyToSymbol(powers, values, sizeof values); // a mistake
    if (!strcmp(what, "free"))
        cudaFree(numbers + 2); // a mistake
    if (!strcmp(what, "shape"))
        fill<<<1, 1056>>>(numbers, 1); // a mistake
    if (!strcmp(what, "shape_asked")) {
        fill<<<1, 1056>>>(numbers, 1); // a mistake
        if (cudaGetLastError() == cudaSuccess)
            return 1;
    }
    if (!strcmp(what, "shape_peeked")) {
        fill<<<1, 32, 1 << 20>>>(numbers, 1); // a mistake
        CHECK(cudaDeviceSynchronize());
        if (cudaPeekAtLastError() == cudaSuccess)
            return 1;
    }
    if (!strcmp(what, "shape_returned")) {
        int value = 1;
        void *arguments[] = {&numbers, &value};
        if (cudaLaunchKernel((const void *)fill, dim3(0), dim3(32), arguments, 0, nullptr) == cudaSuccess) // a mistake
            return 1;
    }
    if (!strcmp(what, "shape_too_late")) {
        fill<<<1, 1056>>>(numbers, 1); // a mistake
        CHECK(cudaMemcpy(values, numbers, sizeof values, cudaMemcpyDeviceToHost));   // of what was never written
        return cudaGetLastError() == cudaSuccess;
    }
    if (!strcmp(what, "first")) {
        cudaEventDestroy(nullptr); // a mistake
        cudaSetDevice(77);
    }
    if (!strcmp(what, "smaller") && cudaMalloc(&more, too_many) != cudaSuccess)
        CHECK(cudaMalloc(&more, sizeof values));
    if (!strcmp(what, "kept")) {
        cudaError_t status = cudaSetDevice(77);
        return status == cudaSuccess;
    }
    if (!strcmp(what, "asked")) {
        cudaSetDevice(77);
        cudaSetDevice(78);
        cudaGetLastError();
    }
    if (!strcmp(what, "status")) {
        cudaSetDevice(77);
        return 3;
    }
    fill<<<1, 32, 0, stream>>>(numbers, 1);
    if (!strcmp(what, "nothing"))
        return 0;
    if (!strcmp(what, "event")) {
        CHECK(cudaEventCreate(&event));
        CHECK(cudaEventRecord(event, stream));
        CHECK(cudaEventSynchronize(event));
    } else if (!strcmp(what, "stream")) {
        CHECK(cudaStreamSynchronize(stream));
    } else if (!strcmp(what, "copy")) {
        CHECK(cudaMemcpy(values, numbers, sizeof values, cudaMemcpyDeviceToHost));
    } else if (!strcmp(what, "reset")) {
        CHECK(cudaDeviceReset());
        return 0;
    } else {
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaFree(numbers));
    CHECK(cudaFree(more));
    return 0;
}
