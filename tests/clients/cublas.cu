// What cuBLAS answers: the codes of wrong arguments, and results that are exact in any order of summation. Every line that
// this prints must be the same on every device. cublas.txt holds what it printed with NVIDIA's library (13.1) on an H200,
// without the lines " ** On entry to …", which are that library's own.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

static sigjmp_buf before_call;
static void fell(int)
{
    siglongjmp(before_call, 1);
}

#define CODE(call)                                     \
    do {                                               \
        if (sigsetjmp(before_call, 1) == 0)            \
            printf("%s: %d\n", #call, (int)(call));    \
        else                                           \
            printf("%s: segmentation fault\n", #call); \
        fflush(stdout);                                \
    } while (0)
#define MUST(call)                                                        \
    do {                                                                  \
        int code_ = (int)(call);                                          \
        if (code_ != 0)                                                   \
            printf("line %d: %s: %d\n", __LINE__, #call, code_), exit(1); \
    } while (0)

template <typename T> struct device_array {
    T *at;
    size_t count;
    explicit device_array(const std::vector<T> &values) : at(nullptr), count(values.size())
    {
        MUST(cudaMalloc(&at, count * sizeof(T)));
        MUST(cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~device_array()
    {
        cudaFree(at);
    }
    std::vector<T> host() const
    {
        std::vector<T> values(count);
        MUST(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
};

static void print_one(float v)
{
    printf(" %g", v);
}
static void print_one(double v)
{
    printf(" %g", v);
}
static void print_one(int v)
{
    printf(" %d", v);
}
static void print_one(__half v)
{
    printf(" %g", __half2float(v));
}
static void print_one(cuComplex v)
{
    printf(" %g%+gi", v.x, v.y);
}
static void print_one(cuDoubleComplex v)
{
    printf(" %g%+gi", v.x, v.y);
}
template <typename T> static void show(const char *name, const std::vector<T> &values)
{
    printf("%s:", name);
    for (const T &v : values)
        print_one(v);
    printf("\n");
    fflush(stdout);
}
template <typename T> static void show(const char *name, const device_array<T> &a)
{
    show(name, a.host());
}

static float number(float *, int i)
{
    return (float)(i * 7 % 11 - 5);
}
static double number(double *, int i)
{
    return i * 7 % 11 - 5;
}
static cuComplex number(cuComplex *, int i)
{
    return make_cuComplex((float)(i * 7 % 11 - 5), (float)(i * 5 % 7 - 3));
}
static cuDoubleComplex number(cuDoubleComplex *, int i)
{
    return make_cuDoubleComplex(i * 7 % 11 - 5, i * 5 % 7 - 3);
}
template <typename T> static std::vector<T> numbers(int count, int from = 0)
{
    std::vector<T> values(count);
    for (int i = 0; i < count; i++)
        values[i] = number((T *)nullptr, i + from);
    return values;
}

static cublasHandle_t h;

static void codes()
{
    device_array<float> A(numbers<float>(64)), B(numbers<float>(64)), C(numbers<float>(64));
    device_array<int> I(std::vector<int>(64, 0));
    float *a = A.at, *b = B.at, *c = C.at, one = 1, zero = 0, r = -1, host[64] = {0};
    float *one_p = &one;
    double one_d = 1;
    int index = -1, v = 0;
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    const cublasOperation_t CONJ = CUBLAS_OP_CONJG, op7 = (cublasOperation_t)7;
    const cublasFillMode_t L = CUBLAS_FILL_MODE_LOWER, FULL = CUBLAS_FILL_MODE_FULL, fill7 = (cublasFillMode_t)7;
    const cublasSideMode_t LEFT = CUBLAS_SIDE_LEFT, RIGHT = CUBLAS_SIDE_RIGHT, side7 = (cublasSideMode_t)7;
    const cublasDiagType_t NU = CUBLAS_DIAG_NON_UNIT, diag7 = (cublasDiagType_t)7;
    cublasHandle_t none = nullptr;

    CODE(cublasSgemm(none, N, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSetStream(none, 0));
    CODE(cublasGetVersion(none, &v));
    CODE(cublasDestroy(none));
    CODE(cublasCreate(nullptr));
    CODE(cublasGetVersion(h, nullptr));
    CODE(cublasSetPointerMode(h, (cublasPointerMode_t)7));
    CODE(cublasSetAtomicsMode(h, (cublasAtomicsMode_t)7));
    CODE(cublasSetMathMode(h, (cublasMath_t)77));
    CODE(cublasSetWorkspace(h, nullptr, 0));
    MUST(cublasSetStream(h, 0));
    CODE(cublasGetProperty(MAJOR_VERSION, nullptr));
    CODE(cublasGetProperty((libraryPropertyType)7, &v));

    CODE(cublasSgemm(h, N, N, -1, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, N, N, 4, -1, 4, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, N, N, 4, 4, -1, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 3, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 4, b, 3, &zero, c, 4));
    CODE(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 3));
    CODE(cublasSgemm(h, T, N, 4, 4, 5, &one, a, 4, b, 5, &zero, c, 4));
    CODE(cublasSgemm(h, N, T, 4, 5, 4, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, op7, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, CONJ, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, N, N, 4, 4, 4, nullptr, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 4, b, 4, nullptr, c, 4));
    CODE(cublasSgemm(h, N, N, 0, 4, 4, &one, nullptr, 1, nullptr, 4, &zero, nullptr, 1));
    CODE(cublasSgemm(h, N, N, 0, 4, 4, &one, a, 0, b, 4, &zero, c, 0));
    CODE(cublasSgemm(h, N, N, 4, 4, 0, &one, nullptr, 4, nullptr, 1, &one, c, 4));
    CODE(cublasSgemm(h, N, N, 4, 4, 0, &one, nullptr, 4, nullptr, 0, &one, c, 4));
    CODE(cublasSgemmStridedBatched(h, N, N, 4, 4, 1, &one, a, 4, 4, b, 4, 4, &zero, c, 4, 16, -1));
    CODE(cublasSgemmStridedBatched(h, N, N, 4, 4, 1, &one, a, 4, 4, b, 4, 4, &zero, c, 4, 16, 0));
    CODE(cublasSgemmStridedBatched(h, N, N, 4, 4, 1, &one, a, 4, 4, b, 4, 4, &zero, c, 3, 16, 2));
    CODE(cublasSgemmStridedBatched(h, N, N, 4, 4, 1, &one, a, 4, 4, b, 4, 4, &zero, c, 4, 4, 2));
    CODE(cublasSgemmBatched(h, N, N, 4, 4, 4, &one, nullptr, 4, nullptr, 4, &zero, nullptr, 4, -1));
    CODE(cublasSgemmBatched(h, N, N, 4, 4, 4, &one, nullptr, 4, nullptr, 4, &zero, nullptr, 4, 0));
    CODE(cublasGemmEx(h, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_32F, 4, &zero, c, CUDA_R_16F, 4,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    CODE(cublasGemmEx(h, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_64F, 4, &zero, c, CUDA_R_32F, 4,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    CODE(cublasGemmEx(h, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_32F, 4, &zero, c, CUDA_R_32F, 4,
                      (cublasComputeType_t)3, CUBLAS_GEMM_DEFAULT));
    CODE(cublasGemmEx(h, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_32F, 4, &zero, c, CUDA_R_32F, 4,
                      CUBLAS_COMPUTE_32F, (cublasGemmAlgo_t)500));
    CODE(cublasGemmEx(h, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 3, b, CUDA_R_32F, 4, &zero, c, CUDA_R_32F, 4,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    CODE(cublasGemmEx(h, N, N, 3, 3, 3, &one, a, CUDA_R_8I, 3, b, CUDA_R_8I, 3, &zero, c, CUDA_R_32I, 3, CUBLAS_COMPUTE_32I,
                      CUBLAS_GEMM_DEFAULT));

    CODE(cublasSgemv(h, N, 4, 4, &one, a, 3, b, 1, &zero, c, 1));
    CODE(cublasSgemv(h, N, 0, 4, &one, a, 0, b, 1, &zero, c, 1));
    CODE(cublasSgbmv(h, N, 4, 4, -1, 1, &one, a, 4, b, 1, &zero, c, 1));
    CODE(cublasSgbmv(h, N, 4, 4, 1, 1, &one, a, 2, b, 1, &zero, c, 1));
    CODE(cublasSger(h, 4, 4, &one, a, 0, b, 1, c, 4));
    CODE(cublasSger(h, 4, 4, &one, a, 1, b, 1, c, 3));
    CODE(cublasSsymv(h, fill7, 4, &one, a, 4, b, 1, &zero, c, 1));
    CODE(cublasSsymv(h, FULL, 4, &one, a, 4, b, 1, &zero, c, 1));
    CODE(cublasSsymv(h, L, 4, &one, a, 3, b, 1, &zero, c, 1));
    CODE(cublasSsbmv(h, L, 4, 1, &one, a, 1, b, 1, &zero, c, 1));
    CODE(cublasSspmv(h, L, 4, &one, a, b, 0, &zero, c, 1));
    CODE(cublasSsyr(h, L, 4, &one, a, 0, c, 4));
    CODE(cublasSsyr2(h, L, 4, &one, a, 1, b, 1, c, 3));
    CODE(cublasStrmv(h, L, N, diag7, 4, a, 4, b, 1));
    CODE(cublasStrmv(h, L, N, NU, 4, a, 3, b, 1));
    CODE(cublasStrsv(h, L, N, NU, 4, a, 4, b, 0));
    CODE(cublasStbsv(h, L, N, NU, 4, 2, a, 2, b, 1));
    CODE(cublasStpsv(h, L, N, NU, -1, a, b, 1));
    CODE(cublasSsymm(h, side7, L, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    CODE(cublasSsymm(h, LEFT, L, 4, 2, &one, a, 3, b, 4, &zero, c, 4));
    CODE(cublasSsymm(h, RIGHT, L, 4, 2, &one, a, 2, b, 4, &zero, c, 4));
    CODE(cublasSsyrk(h, L, N, 4, 4, &one, a, 3, &zero, c, 4));
    CODE(cublasSsyrk(h, L, T, 4, 5, &one, a, 4, &zero, c, 4));
    CODE(cublasSsyrk(h, L, CUBLAS_OP_C, 4, 4, &one, a, 4, &zero, c, 4));
    CODE(cublasSsyrk(h, FULL, N, 4, 4, &one, a, 4, &zero, c, 4));
    CODE(cublasSsyr2k(h, L, N, 4, 4, &one, a, 4, b, 3, &zero, c, 4));
    CODE(cublasStrsm(h, LEFT, L, N, NU, 4, 4, &one, a, 3, c, 4));
    CODE(cublasStrsm(h, LEFT, L, N, NU, 4, 4, &one, a, 4, c, 3));
    CODE(cublasStrsm(h, LEFT, L, N, NU, 4, -1, &one, a, 4, c, 4));
    CODE(cublasStrmm(h, LEFT, L, N, NU, 4, 4, &one, a, 4, b, 3, c, 4));
    CODE(cublasSgeam(h, N, N, 4, 4, &one, a, 3, &one, b, 4, c, 4));
    CODE(cublasSgeam(h, N, N, 4, 4, &one, c, 4, &one, b, 4, c, 4));
    CODE(cublasSgeam(h, T, N, 4, 4, &one, c, 4, &one, b, 4, c, 4));
    CODE(cublasSgeam(h, N, N, 4, 4, &one, c, 5, &one, b, 4, c, 4));
    CODE(cublasSgeam(h, N, N, 4, 4, &one, a, 4, &zero, nullptr, 4, c, 4));
    CODE(cublasSdgmm(h, LEFT, 4, 4, a, 3, b, 1, c, 4));
    CODE(cublasSdgmm(h, LEFT, 4, 4, a, 4, b, 0, c, 4));
    CODE(cublasSdgmm(h, side7, 4, 4, a, 4, b, 1, c, 4));

    CODE(cublasIsamax(h, -1, a, 1, &index));
    CODE(cublasIsamax(h, 0, a, 1, &index));
    printf("index %d\n", index);
    CODE(cublasIsamax(h, 4, a, 0, &index));
    printf("index %d\n", index);
    CODE(cublasIsamax(h, 4, a, -1, &index));
    printf("index %d\n", index);
    CODE(cublasIsamax(h, 4, a, 1, nullptr));
    CODE(cublasSasum(h, -1, a, 1, &r));
    CODE(cublasSasum(h, 4, a, -1, &r));
    printf("asum %g\n", r);
    CODE(cublasSasum(h, 4, a, 0, &r));
    printf("asum %g\n", r);
    CODE(cublasSnrm2(h, 4, a, -1, &r));
    printf("nrm2 %g\n", r);
    CODE(cublasSdot(h, 3, a, 0, b, 1, &r));
    printf("dot %g\n", r);
    CODE(cublasSdot(h, 0, nullptr, 1, nullptr, 1, &r));
    printf("dot %g\n", r);
    CODE(cublasSdot(h, -1, a, 1, b, 1, &r));
    CODE(cublasSaxpy(h, -1, &one, a, 1, b, 1));
    CODE(cublasSaxpy(h, 4, &one, a, 1, b, 0));
    CODE(cublasSscal(h, -1, &one, a, 1));
    CODE(cublasSscal(h, 4, &one, a, -1));
    CODE(cublasSscal(h, 4, &one, a, 0));
    CODE(cublasScopy(h, -1, a, 1, b, 1));
    CODE(cublasSswap(h, 4, a, 1, b, 0));
    CODE(cublasSrot(h, -1, a, 1, b, 1, &one, &zero));
    CODE(cublasNrm2Ex(h, 4, a, CUDA_R_32F, 1, &r, CUDA_R_64F, CUDA_R_32F));
    CODE(cublasScalEx(h, 4, &one_d, CUDA_R_64F, a, CUDA_R_32F, 1, CUDA_R_32F));
    CODE(cublasAxpyEx(h, 4, &one, CUDA_R_32F, a, CUDA_R_32F, 1, b, CUDA_R_32F, 1, CUDA_R_16F));

    CODE(cublasSetVector(-1, 4, host, 1, c, 1));
    CODE(cublasSetVector(4, 0, host, 1, c, 1));
    CODE(cublasSetVector(4, 4, host, 0, c, 1));
    CODE(cublasSetVector(4, 4, host, 1, c, -1));
    CODE(cublasSetVector(0, 4, host, 1, c, 1));
    CODE(cublasGetVector(4, 4, c, 0, host, 1));
    CODE(cublasSetMatrix(-1, 4, 4, host, 4, c, 4));
    CODE(cublasSetMatrix(4, 4, 0, host, 4, c, 4));
    CODE(cublasSetMatrix(4, 4, 4, host, 3, c, 4));
    CODE(cublasSetMatrix(4, 4, 4, host, 4, c, 3));
    CODE(cublasGetMatrix(4, 4, 4, c, 4, host, 0));
    CODE(cublasGetMatrix(0, 0, 4, c, 1, host, 1));

    CODE(cublasSgetrfBatched(h, -1, nullptr, 4, I.at, I.at, 1));
    CODE(cublasSgetrfBatched(h, 4, nullptr, 3, I.at, I.at, 1));
    CODE(cublasSgetrfBatched(h, 4, nullptr, 4, I.at, I.at, 0));
    CODE(cublasSgetrfBatched(h, 4, nullptr, 4, I.at, I.at, -1));
    CODE(cublasSgetriBatched(h, 4, nullptr, 3, I.at, nullptr, 4, I.at, 1));
    CODE(cublasSmatinvBatched(h, 33, nullptr, 33, nullptr, 33, I.at, 1));
    CODE(cublasSgetrsBatched(h, N, -1, 1, nullptr, 4, I.at, nullptr, 4, &v, 1));
    printf("info %d\n", v);
    CODE(cublasSgetrsBatched(h, N, 4, 1, nullptr, 3, I.at, nullptr, 4, &v, 1));
    printf("info %d\n", v);
    CODE(cublasSgetrsBatched(h, op7, 4, 1, nullptr, 4, I.at, nullptr, 4, &v, 1));
    printf("info %d\n", v);
    CODE(cublasStrsmBatched(h, LEFT, L, N, NU, 4, 4, &one, nullptr, 3, nullptr, 4, 1));
    CODE(cublasStrsmBatched(h, LEFT, L, N, NU, 4, 4, one_p, nullptr, 4, nullptr, 4, -1));
    CODE(cudaDeviceSynchronize());
    for (int s = 0; s <= 17; s++)
        printf("%d %s: %s\n", s, cublasGetStatusName((cublasStatus_t)s), cublasGetStatusString((cublasStatus_t)s));
}

static void settings()
{
    int v;
    cublasPointerMode_t pointer;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    cudaStream_t stream, found = (cudaStream_t)1;
    MUST(cublasGetPointerMode(h, &pointer));
    MUST(cublasGetAtomicsMode(h, &atomics));
    MUST(cublasGetMathMode(h, &math));
    MUST(cublasGetStream(h, &found));
    printf("defaults: pointer mode %d, atomics %d, math mode %d, stream %s\n", pointer, atomics, math,
           found ? "other" : "0");
    MUST(cublasGetSmCountTarget(h, &v));
    printf("multiprocessors: %d\n", v);
    MUST(cudaStreamCreate(&stream));
    MUST(cublasSetStream(h, stream));
    MUST(cublasGetStream(h, &found));
    printf("stream kept: %d\n", stream == found);
    MUST(cublasSetStream(h, 0));
    MUST(cudaStreamDestroy(stream));
    for (int mode : {0, 1, 2, 3, 4, 8, 16, 17, 18, 19, 5, 32})
        printf("math mode %d: %d\n", mode, (int)cublasSetMathMode(h, (cublasMath_t)mode));
    MUST(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
}

// Not-a-number in what must not be read, and in what an alpha of 0 multiplies.
static void not_read()
{
    std::vector<float> nan(16, NAN), ones(16, 1);
    float one = 1, zero = 0;
    {
        device_array<float> a(ones), b(ones), c(nan);
        MUST(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.at, 4, b.at, 4, &zero, c.at, 4));
        show("beta 0, C nan", c);
    }
    {
        device_array<float> a(nan), b(ones), c(ones);
        MUST(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &zero, a.at, 4, b.at, 4, &one, c.at, 4));
        show("alpha 0, A nan", c);
        MUST(cublasSgemv(h, CUBLAS_OP_N, 4, 4, &zero, a.at, 4, b.at, 1, &one, c.at, 1));
        show("gemv alpha 0, A nan", c);
    }
    {
        device_array<float> x(nan), y(ones);
        MUST(cublasSaxpy(h, 4, &zero, x.at, 1, y.at, 1));
        show("axpy alpha 0, x nan", y);
        MUST(cublasSscal(h, 4, &zero, x.at, 1));
        std::vector<float> values = x.host();
        printf("scal 0 of nan: %s\n", values[0] == 0 ? "0" : "nan");
        int index;
        std::vector<float> some = ones;
        some[2] = NAN;
        some[3] = 5;
        device_array<float> z(some);
        MUST(cublasIsamax(h, 4, z.at, 1, &index));
        printf("amax of 1 1 nan 5: %d\n", index);
        MUST(cublasIsamin(h, 4, z.at, 1, &index));
        printf("amin of 1 1 nan 5: %d\n", index);
    }
}

template <typename T> struct blas;
#define BLAS(T, letter, R, ger_name, dot_name, asum_name, nrm2_name, amax_name, amin_name) \
    template <> struct blas<T> {                                                           \
        typedef R real;                                                                    \
        static constexpr const char *name = #letter;                                       \
        static constexpr auto gemm = cublas##letter##gemm;                                 \
        static constexpr auto gemv = cublas##letter##gemv;                                 \
        static constexpr auto gbmv = cublas##letter##gbmv;                                 \
        static constexpr auto ger = cublas##ger_name;                                      \
        static constexpr auto trmv = cublas##letter##trmv;                                 \
        static constexpr auto tbmv = cublas##letter##tbmv;                                 \
        static constexpr auto tpmv = cublas##letter##tpmv;                                 \
        static constexpr auto trsv = cublas##letter##trsv;                                 \
        static constexpr auto symm = cublas##letter##symm;                                 \
        static constexpr auto syrk = cublas##letter##syrk;                                 \
        static constexpr auto syr2k = cublas##letter##syr2k;                               \
        static constexpr auto syrkx = cublas##letter##syrkx;                               \
        static constexpr auto trmm = cublas##letter##trmm;                                 \
        static constexpr auto trsm = cublas##letter##trsm;                                 \
        static constexpr auto geam = cublas##letter##geam;                                 \
        static constexpr auto dgmm = cublas##letter##dgmm;                                 \
        static constexpr auto axpy = cublas##letter##axpy;                                 \
        static constexpr auto scal = cublas##letter##scal;                                 \
        static constexpr auto copy = cublas##letter##copy;                                 \
        static constexpr auto swap = cublas##letter##swap;                                 \
        static constexpr auto dot = cublas##dot_name;                                      \
        static constexpr auto asum = cublas##asum_name;                                    \
        static constexpr auto nrm2 = cublas##nrm2_name;                                    \
        static constexpr auto amax = cublas##amax_name;                                    \
        static constexpr auto amin = cublas##amin_name;                                    \
        static constexpr auto strided = cublas##letter##gemmStridedBatched;                \
        static constexpr auto batched = cublas##letter##gemmBatched;                       \
        static constexpr auto trsm_batched = cublas##letter##trsmBatched;                  \
        static constexpr auto getrf = cublas##letter##getrfBatched;                        \
        static constexpr auto getri = cublas##letter##getriBatched;                        \
        static constexpr auto tpttr = cublas##letter##tpttr;                               \
        static constexpr auto trttp = cublas##letter##trttp;                               \
    };
BLAS(float, S, float, Sger, Sdot, Sasum, Snrm2, Isamax, Isamin)
BLAS(double, D, double, Dger, Ddot, Dasum, Dnrm2, Idamax, Idamin)
BLAS(cuComplex, C, float, Cgerc, Cdotc, Scasum, Scnrm2, Icamax, Icamin)
BLAS(cuDoubleComplex, Z, double, Zgeru, Zdotu, Dzasum, Dznrm2, Izamax, Izamin)

static float scalar(float *, int re, int)
{
    return (float)re;
}
static double scalar(double *, int re, int)
{
    return re;
}
static cuComplex scalar(cuComplex *, int re, int im)
{
    return make_cuComplex((float)re, (float)im);
}
static cuDoubleComplex scalar(cuDoubleComplex *, int re, int im)
{
    return make_cuDoubleComplex(re, im);
}

// Small whole numbers, so that every sum is exact.
template <typename T> static void exact()
{
    typedef blas<T> B;
    const cublasOperation_t N = CUBLAS_OP_N, TR = CUBLAS_OP_T, CT = CUBLAS_OP_C;
    const cublasFillMode_t L = CUBLAS_FILL_MODE_LOWER, U = CUBLAS_FILL_MODE_UPPER;
    T two = scalar((T *)nullptr, 2, 1), minus = scalar((T *)nullptr, -1, 2), none = scalar((T *)nullptr, 0, 0);
    printf("type %s\n", B::name);
    device_array<T> a(numbers<T>(40)), b(numbers<T>(40, 3));
#define FRESH device_array<T> c(numbers<T>(24, 5))
    for (cublasOperation_t ta : {N, TR, CT})
        for (cublasOperation_t tb : {N, TR, CT}) {
            FRESH;
            MUST(B::gemm(h, ta, tb, 3, 4, 5, &two, a.at, ta == N ? 4 : 6, b.at, tb == N ? 6 : 5, &minus, c.at, 6));
            show("gemm", c);
        }
    {
        FRESH;
        MUST(B::gemm(h, N, N, 3, 4, 0, &two, a.at, 4, b.at, 6, &minus, c.at, 6));
        show("gemm k 0", c);
    }
    {
        FRESH;
        MUST(B::gemm(h, N, N, 3, 4, 5, &two, a.at, 4, b.at, 6, &none, c.at, 6));
        show("gemm beta 0", c);
    }
    {
        FRESH;
        MUST(B::gemv(h, N, 3, 4, &two, a.at, 5, b.at, 2, &minus, c.at, -3));
        show("gemv", c);
    }
    {
        FRESH;
        MUST(B::gemv(h, TR, 3, 4, &two, a.at, 5, b.at, -2, &minus, c.at, 3));
        show("gemv T", c);
    }
    {
        FRESH;
        MUST(B::gemv(h, CT, 3, 4, &two, a.at, 5, b.at, 1, &none, c.at, 1));
        show("gemv C", c);
    }
    {
        FRESH;
        MUST(B::gbmv(h, N, 5, 4, 1, 2, &two, a.at, 5, b.at, 2, &minus, c.at, 1));
        show("gbmv", c);
    }
    {
        FRESH;
        MUST(B::ger(h, 3, 4, &two, a.at, 2, b.at, -1, c.at, 5));
        show("ger", c);
    }
    for (cublasFillMode_t f : {L, U}) {
        {
            FRESH;
            MUST(B::trmv(h, f, N, CUBLAS_DIAG_NON_UNIT, 4, a.at, 5, c.at, 2));
            show("trmv", c);
        }
        {
            FRESH;
            MUST(B::trmv(h, f, CT, CUBLAS_DIAG_UNIT, 4, a.at, 5, c.at, -1));
            show("trmv C unit", c);
        }
        {
            FRESH;
            MUST(B::tbmv(h, f, N, CUBLAS_DIAG_NON_UNIT, 5, 2, a.at, 4, c.at, 1));
            show("tbmv", c);
        }
        {
            FRESH;
            MUST(B::tpmv(h, f, TR, CUBLAS_DIAG_NON_UNIT, 4, a.at, c.at, 1));
            show("tpmv", c);
        }
        {
            FRESH;
            MUST(B::trsv(h, f, N, CUBLAS_DIAG_UNIT, 4, a.at, 5, c.at, 2));
            show("trsv unit", c);
        }
        {
            FRESH;
            MUST(B::symm(h, CUBLAS_SIDE_LEFT, f, 3, 4, &two, a.at, 4, b.at, 3, &minus, c.at, 5));
            show("symm", c);
        }
        {
            FRESH;
            MUST(B::symm(h, CUBLAS_SIDE_RIGHT, f, 3, 4, &two, a.at, 4, b.at, 3, &none, c.at, 5));
            show("symm right", c);
        }
        {
            FRESH;
            MUST(B::syrk(h, f, N, 3, 4, &two, a.at, 4, &minus, c.at, 5));
            show("syrk", c);
        }
        {
            FRESH;
            MUST(B::syrk(h, f, TR, 3, 4, &two, a.at, 4, &none, c.at, 5));
            show("syrk T", c);
        }
        {
            FRESH;
            MUST(B::syr2k(h, f, N, 3, 4, &two, a.at, 4, b.at, 3, &minus, c.at, 5));
            show("syr2k", c);
        }
        {
            FRESH;
            MUST(B::syrkx(h, f, N, 3, 4, &two, a.at, 4, b.at, 3, &minus, c.at, 5));
            show("syrkx", c);
        }
        {
            FRESH;
            MUST(B::trmm(h, CUBLAS_SIDE_LEFT, f, TR, CUBLAS_DIAG_NON_UNIT, 3, 4, &two, a.at, 4, b.at, 3, c.at, 5));
            show("trmm", c);
        }
        {
            FRESH;
            MUST(B::trmm(h, CUBLAS_SIDE_RIGHT, f, N, CUBLAS_DIAG_UNIT, 3, 4, &two, a.at, 4, c.at, 5, c.at, 5));
            show("trmm in place", c);
        }
        {
            FRESH;
            MUST(B::trsm(h, CUBLAS_SIDE_LEFT, f, N, CUBLAS_DIAG_UNIT, 3, 4, &two, a.at, 4, c.at, 5));
            show("trsm", c);
        }
        {
            FRESH;
            MUST(B::trsm(h, CUBLAS_SIDE_RIGHT, f, CT, CUBLAS_DIAG_UNIT, 3, 4, &two, a.at, 4, c.at, 5));
            show("trsm right", c);
        }
        {
            FRESH;
            MUST(B::tpttr(h, f, 4, a.at, c.at, 5));
            show("tpttr", c);
        }
        {
            FRESH;
            MUST(B::trttp(h, f, 4, a.at, 5, c.at));
            show("trttp", c);
        }
    }
    {
        FRESH;
        MUST(B::geam(h, N, TR, 3, 4, &two, a.at, 4, &minus, b.at, 5, c.at, 5));
        show("geam", c);
    }
    {
        FRESH;
        MUST(B::geam(h, CT, N, 3, 4, &two, a.at, 4, &none, nullptr, 5, c.at, 5));
        show("geam C, no B", c);
    }
    {
        FRESH;
        MUST(B::dgmm(h, CUBLAS_SIDE_LEFT, 3, 4, a.at, 4, b.at, 2, c.at, 5));
        show("dgmm", c);
    }
    {
        FRESH;
        MUST(B::dgmm(h, CUBLAS_SIDE_RIGHT, 3, 4, a.at, 4, b.at, -1, c.at, 5));
        show("dgmm right", c);
    }
    {
        FRESH;
        MUST(B::axpy(h, 5, &two, a.at, 2, c.at, -3));
        show("axpy", c);
    }
    {
        FRESH;
        MUST(B::scal(h, 5, &two, c.at, 3));
        show("scal", c);
    }
    {
        FRESH;
        MUST(B::copy(h, 5, a.at, -2, c.at, 3));
        show("copy", c);
    }
    {
        FRESH;
        device_array<T> d(numbers<T>(12, 1));
        MUST(B::swap(h, 5, d.at, -2, c.at, 3));
        show("swap", c);
        show("with", d);
    }
    T product;
    typename B::real total;
    int index;
    MUST(B::dot(h, 6, a.at, 2, b.at, -1, &product));
    show("dot", std::vector<T>(1, product));
    MUST(B::asum(h, 7, a.at, 3, &total));
    show("asum", std::vector<typename B::real>(1, total));
    MUST(B::amax(h, 9, a.at, 2, &index));
    printf("amax %d", index);
    MUST(B::amin(h, 9, a.at, 2, &index));
    printf(", amin %d\n", index);
    {
        FRESH;
        MUST(B::strided(h, N, TR, 2, 2, 3, &two, a.at, 3, 10, b.at, 2, 7, &minus, c.at, 3, 8, 3));
        show("strided", c);
    }
    {
        FRESH;
        device_array<T *> pa({a.at, a.at + 9}), pb({b.at, b.at}), pc({c.at, c.at + 12});
        MUST(B::batched(h, TR, N, 2, 2, 3, &two, pa.at, 3, pb.at, 4, &minus, pc.at, 3, 2));
        show("batched", c);
        MUST(B::trsm_batched(h, CUBLAS_SIDE_LEFT, L, N, CUBLAS_DIAG_UNIT, 3, 2, &two, pa.at, 4, pc.at, 4, 2));
        show("trsm batched", c);
    }
    MUST(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    {
        FRESH;
        device_array<T> scalars({two, minus, none});
        device_array<int> where(std::vector<int>(1, -1));
        MUST(B::gemm(h, N, N, 3, 4, 5, scalars.at, a.at, 4, b.at, 6, scalars.at + 1, c.at, 6));
        show("gemm, device scalars", c);
        MUST(B::dot(h, 6, a.at, 1, b.at, 1, scalars.at));
        MUST(B::amax(h, 9, a.at, 1, where.at));
        show("dot on the device", scalars);
        show("amax on the device", where);
    }
    MUST(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    // [2 1; 4 4] = P [1 0; .5 1] [4 4; 0 -1], and a singular one
    std::vector<T> lu;
    for (int v : {2, 4, 1, 4, 1, 2, 2, 4})
        lu.push_back(scalar((T *)nullptr, v, 0));
    device_array<T> m(lu), inverse(std::vector<T>(8, none));
    device_array<T *> pm({m.at, m.at + 4}), pi({inverse.at, inverse.at + 4});
    device_array<int> pivots(std::vector<int>(4, -1)), info(std::vector<int>(2, -1));
    MUST(B::getrf(h, 2, pm.at, 2, pivots.at, info.at, 2));
    show("getrf", m), show("pivots", pivots), show("info", info);
    MUST(B::getri(h, 2, pm.at, 2, pivots.at, pi.at, 2, info.at, 1));
    show("getri", inverse), show("info", info);
}

static void rotations()
{
    float a = 3, b = 4, c, s, param[5] = {-1, 2, 3, 5, 7}, d1 = 2, d2 = 3, x1 = 5, y1 = 0;
    MUST(cublasSrotg(h, &a, &b, &c, &s));
    printf("rotg %g %g %g %g\n", a, b, c, s);
    device_array<float> x(numbers<float>(8)), y(numbers<float>(8, 3));
    float cosine = 2, sine = 3;
    MUST(cublasSrot(h, 4, x.at, 2, y.at, -1, &cosine, &sine));
    show("rot x", x), show("rot y", y);
    for (float flag : {-1.f, 0.f, 1.f, -2.f}) {
        param[0] = flag;
        MUST(cublasSrotm(h, 4, x.at, 2, y.at, -1, param));
        show("rotm x", x), show("rotm y", y);
    }
    MUST(cublasSrotmg(h, &d1, &d2, &x1, &y1, param));
    printf("rotmg flag %g\n", param[0]);
}

static void mixed()
{
    std::vector<__half> ha, hb;
    std::vector<signed char> ia, ib;
    for (int i = 0; i < 16; i++) {
        ha.push_back(__float2half((float)(i * 7 % 11 - 5)));
        hb.push_back(__float2half((float)(i * 5 % 9 - 4)));
        ia.push_back((signed char)(i * 37 % 251 - 125));
        ib.push_back((signed char)(i * 53 % 251 - 125));
    }
    device_array<__half> a(ha), b(hb), c(std::vector<__half>(16, __float2half(1)));
    device_array<float> f(std::vector<float>(16, 1));
    device_array<signed char> p(ia), q(ib);
    device_array<int> r(std::vector<int>(16, 1));
    __half two = __float2half(2), minus = __float2half(-1);
    float two_f = 2, minus_f = -1;
    int two_i = 2, minus_i = -1;
    MUST(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &two, a.at, 4, b.at, 4, &minus, c.at, 4));
    show("Hgemm", c);
    MUST(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, &two_f, a.at, CUDA_R_16F, 4, b.at, CUDA_R_16F, 4, &minus_f, f.at,
                      CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show("GemmEx 16F 32F", f);
    MUST(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, &two_f, a.at, CUDA_R_16F, 4, b.at, CUDA_R_16F, 4, &minus_f, c.at,
                      CUDA_R_16F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show("GemmEx 16F 16F", c);
    MUST(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, &two_i, p.at, CUDA_R_8I, 4, q.at, CUDA_R_8I, 4, &minus_i, r.at,
                      CUDA_R_32I, 4, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
    show("GemmEx 8I 32I", r);
    float result = 0;
    MUST(cublasNrm2Ex(h, 16, a.at, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F));
    MUST(cublasDotEx(h, 16, f.at, CUDA_R_32F, 1, f.at, CUDA_R_32F, 1, &result, CUDA_R_32F, CUDA_R_32F));
    printf("DotEx %g\n", result);
    MUST(cublasScalEx(h, 16, &two_f, CUDA_R_32F, c.at, CUDA_R_16F, 1, CUDA_R_32F));
    MUST(cublasAxpyEx(h, 16, &two_f, CUDA_R_32F, a.at, CUDA_R_16F, 1, c.at, CUDA_R_16F, 1, CUDA_R_32F));
    show("AxpyEx", c);
}

int main()
{
    signal(SIGSEGV, fell);
    MUST(cublasCreate(&h));
    settings();
    codes();
    signal(SIGSEGV, SIG_DFL);
    not_read();
    exact<float>();
    exact<double>();
    exact<cuComplex>();
    exact<cuDoubleComplex>();
    rotations();
    mixed();
    MUST(cublasDestroy(h));
    CODE(cudaDeviceSynchronize());
    return 0;
}
