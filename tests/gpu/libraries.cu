/* NVIDIA's libraries behind one kind of function, for measure.c: the figures that the solutions are held against.
 *
 *     nvcc -O3 -shared -Xcompiler -fPIC libraries.cu -o liblibraries.so -lcublas -lcusparse -lcurand
 *
 * Each function takes the addresses of its arrays, in device memory, and its integers, works on the default stream of the
 * current context, does not wait, and returns 0 or the library's error.
 */
#include <cstdint>
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <curand.h>
#include <curand_kernel.h>
#include <cusparse.h>

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

/* in[n], out[1]: integers */
extern "C" int cub_sum_of_integers(uint64_t *arrays, int64_t *integers)
{
    size_t bytes = temporary_bytes;
    return cub::DeviceReduce::Sum(temporary(), bytes, (const int *)arrays[0], (int *)arrays[1], (int)integers[0]);
}

struct is_positive {
    __host__ __device__ bool operator()(int value) const
    {
        return value > 0;
    }
};

/* in[n], out[as many as are positive], count[1] */
extern "C" int cub_select(uint64_t *arrays, int64_t *integers)
{
    size_t bytes = temporary_bytes;
    return cub::DeviceSelect::If(temporary(), bytes, (const int *)arrays[0], (int *)arrays[1], (int *)arrays[2],
                                 (int)integers[0], is_positive());
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

/* keys[n], out[n]: unsigned keys of 32 bits. The first call makes room for the keys once more. */
extern "C" int cub_sort(uint64_t *arrays, int64_t *integers)
{
    static void *memory;
    static size_t room;
    const unsigned *keys = (const unsigned *)arrays[0];
    unsigned *out = (unsigned *)arrays[1];
    size_t bytes = 0;
    cudaError_t status = cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, out, (int)integers[0]);
    if (status == cudaSuccess && bytes > room) {
        status = cudaFree(memory);
        memory = nullptr;
        room = 0;
        if (status == cudaSuccess) {
            status = cudaMalloc(&memory, bytes);
        }
        room = status == cudaSuccess ? bytes : 0;
    }
    return status != cudaSuccess ? status : cub::DeviceRadixSort::SortKeys(memory, bytes, keys, out, (int)integers[0]);
}

static cublasHandle_t cublas()
{
    static cublasHandle_t handle;
    if (handle == nullptr && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
        handle = nullptr;
    }
    return handle;
}

/* A[n][n], B[n][n], C[n][n], row after row: cuBLAS counts by columns, so it computes the transposed of B A. */
extern "C" int cublas_matmul(uint64_t *arrays, int64_t *integers)
{
    const float one = 1.0f, zero = 0.0f;
    int n = (int)integers[0];
    return cublasSgemm(cublas(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (const float *)arrays[1], n,
                       (const float *)arrays[0], n, &zero, (float *)arrays[2], n);
}

/* The same with A and B of halves, and sums of floats. */
extern "C" int cublas_matmul_halves(uint64_t *arrays, int64_t *integers)
{
    const float one = 1.0f, zero = 0.0f;
    int n = (int)integers[0];
    return cublasGemmEx(cublas(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (const void *)arrays[1], CUDA_R_16F, n,
                        (const void *)arrays[0], CUDA_R_16F, n, &zero, (void *)arrays[2], CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT);
}

/* x[n], y[n]: y += x * 1.5 */
extern "C" int cublas_saxpy(uint64_t *arrays, int64_t *integers)
{
    const float factor = 1.5f;
    return cublasSaxpy(cublas(), (int)integers[0], &factor, (const float *)arrays[0], 1, (float *)arrays[1], 1);
}

/* A matrix that cuSPARSE has looked at, with the memory that it asked for. */
struct sparse {
    uint64_t starts;    // the array that tells the matrices apart
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    void *memory;
};

static const cusparseSpMVAlg_t sparse_algorithm = CUSPARSE_SPMV_CSR_ALG1;

/* The matrix is described and looked at in the first call, which no time is taken of. NULL: cuSPARSE would not. */
static sparse *sparse_of(cusparseHandle_t handle, const uint64_t *arrays, const int64_t *integers)
{
    static sparse known[8];
    static int count;
    const float one = 1.0f, zero = 0.0f;
    for (int i = 0; i < count; i++) {
        if (known[i].starts == arrays[0]) {
            return &known[i];
        }
    }
    sparse *made = &known[count];
    int64_t rows = integers[0], width = integers[1], entries = integers[2];
    size_t bytes = 0;
    if (count == 8 ||
        cusparseCreateCsr(&made->matrix, rows, width, entries, (void *)arrays[0], (void *)arrays[1], (void *)arrays[2],
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) ||
        cusparseCreateDnVec(&made->x, width, (void *)arrays[3], CUDA_R_32F) ||
        cusparseCreateDnVec(&made->y, rows, (void *)arrays[4], CUDA_R_32F) ||
        cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, made->matrix, made->x, &zero, made->y,
                                CUDA_R_32F, sparse_algorithm, &bytes) ||
        cudaMalloc(&made->memory, bytes + 1) ||
        cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, made->matrix, made->x, &zero, made->y,
                                CUDA_R_32F, sparse_algorithm, made->memory)) {
        return nullptr;
    }
    made->starts = arrays[0];
    count++;
    return made;
}

/* starts[rows + 1], columns[entries], values[entries], x[width], y[rows]; rows, width, entries: y = matrix * x */
extern "C" int cusparse_spmv(uint64_t *arrays, int64_t *integers)
{
    static cusparseHandle_t handle;
    const float one = 1.0f, zero = 0.0f;
    if (handle == nullptr && cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) {
        return -1;
    }
    sparse *all = sparse_of(handle, arrays, integers);
    return all ? cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, all->matrix, all->x, &zero, all->y, CUDA_R_32F,
                              sparse_algorithm, all->memory)
               : -1;
}

/* words[n], numbers[n]: Philox4x32-10 from the host, in cuRAND's own order; twice the generator, once for words and once for
 * floats. */
extern "C" int curand_words_and_numbers(uint64_t *arrays, int64_t *integers)
{
    static curandGenerator_t generator;
    if (generator == nullptr
        && curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10) != CURAND_STATUS_SUCCESS) {
        generator = nullptr;
        return 1;
    }
    int status = curandGenerate(generator, (unsigned *)arrays[0], (size_t)integers[0]);
    return status != 0 ? status : curandGenerateUniform(generator, (float *)arrays[1], (size_t)integers[0]);
}

static const int estimate_threads = 256, estimate_samples = 8;

/* The lab monte_carlo's estimate with cuRAND's generator in each thread: eight samples in a row, so that the state is set up
 * once and then moves on by itself. */
static __global__ void curand_hits(unsigned *hits, int n, unsigned long long seed, unsigned long long first)
{
    int s = (blockIdx.x * estimate_threads + threadIdx.x) * estimate_samples, count = 0;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, 0, 4 * (first + s), &state);
    for (int k = 0; k < estimate_samples && s + k < n; k++) {
        uint4 drawn = curand4(&state);
        float x = (float)(drawn.x >> 8) * 0x1p-24f, y = (float)(drawn.y >> 8) * 0x1p-24f;
        float z = (float)(drawn.z >> 8) * 0x1p-24f, w = (float)(drawn.w >> 8) * 0x1p-24f;
        count += x * x + y * y + z * z + w * w < 1;
    }
    typedef cub::BlockReduce<int, estimate_threads> reduce;
    __shared__ typename reduce::TempStorage storage;
    count = reduce(storage).Sum(count);
    if (threadIdx.x == 0) {
        hits[blockIdx.x] = count;
    }
}

/* hits[a block of 2048 samples], n, seed, first */
extern "C" int curand_estimate(uint64_t *arrays, int64_t *integers)
{
    int n = (int)integers[0], samples = estimate_threads * estimate_samples;
    curand_hits<<<(n + samples - 1) / samples, estimate_threads>>>((unsigned *)arrays[0], n, (unsigned long long)integers[1],
                                                                  (unsigned long long)integers[2]);
    return cudaGetLastError();
}
