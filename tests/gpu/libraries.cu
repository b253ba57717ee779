/* NVIDIA's libraries behind one kind of function, for measure.c: the figures that the solutions are held against.
 *
 *     nvcc -O3 -shared -Xcompiler -fPIC libraries.cu -o liblibraries.so -lcublas
 *
 * Each function takes the addresses of its arrays, in device memory, and its integers, works on the default stream of the
 * current context, does not wait, and returns 0 or the library's error.
 */
#include <cstdint>
#include <cub/cub.cuh>
#include <cublas_v2.h>

/* Temporary memory of CUB's algorithms; the largest they ask for here is a few MB. */
static const size_t temporary_bytes = 64 << 20;

static void *temporary()
{
    static void *memory;
    if (memory == nullptr && cudaMalloc(&memory, temporary_bytes) != cudaSuccess) {
        memory = nullptr;
    }
    return memory;
}

static __global__ void copy4(const float4 *in, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
    }
}

/* in[n], out[n], n a multiple of 4: what a copy of 16 bytes per thread reaches. */
extern "C" int copy_by_float4(uint64_t *arrays, int64_t *integers)
{
    int n = (int)(integers[0] / 4);
    copy4<<<(n + 255) / 256, 256>>>((const float4 *)arrays[0], (float4 *)arrays[1], n);
    return cudaGetLastError();
}

/* in[n], out[1] */
extern "C" int cub_sum(uint64_t *arrays, int64_t *integers)
{
    size_t bytes = temporary_bytes;
    return cub::DeviceReduce::Sum(temporary(), bytes, (const float *)arrays[0], (float *)arrays[1], (int)integers[0]);
}

/* in[n], out[n] */
extern "C" int cub_scan(uint64_t *arrays, int64_t *integers)
{
    size_t bytes = temporary_bytes;
    return cub::DeviceScan::InclusiveSum(temporary(), bytes, (const int *)arrays[0], (int *)arrays[1], (int)integers[0]);
}

/* data[n], bins[256] */
extern "C" int cub_histogram(uint64_t *arrays, int64_t *integers)
{
    size_t bytes = temporary_bytes;
    return cub::DeviceHistogram::HistogramEven(temporary(), bytes, (const int *)arrays[0], (int *)arrays[1], 257, 0, 256,
                                               (int)integers[0]);
}

/* A[n][n], B[n][n], C[n][n], row after row: cuBLAS counts by columns, so it computes the transposed of B A. */
extern "C" int cublas_matmul(uint64_t *arrays, int64_t *integers)
{
    static cublasHandle_t handle;
    const float one = 1.0f, zero = 0.0f;
    int n = (int)integers[0];
    if (handle == nullptr && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
        return -1;
    }
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (const float *)arrays[1], n,
                       (const float *)arrays[0], n, &zero, (float *)arrays[2], n);
}
