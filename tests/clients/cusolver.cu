// What cuSOLVER answers for dense matrices: the codes of wrong arguments, and results to four digits. Every line that this
// prints must be the same on every device, but for rounding. cusolver.txt holds what it printed with NVIDIA's library
// (12.0.4) on an H200.
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuComplex.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

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

// -0.0000 is 0.0000 here.
static double plain(double v)
{
    return fabs(v) < 0.00005 ? 0 : v;
}
static void print_one(float v)
{
    printf(" %.4f", plain(v));
}
static void print_one(double v)
{
    printf(" %.4f", plain(v));
}
static void print_one(int v)
{
    printf(" %d", v);
}
static void print_one(cuComplex v)
{
    printf(" %.4f%+.4fi", plain(v.x), plain(v.y));
}
static void print_one(cuDoubleComplex v)
{
    printf(" %.4f%+.4fi", plain(v.x), plain(v.y));
}
template <typename T> static void show(const char *name, const device_array<T> &a)
{
    printf("%s:", name);
    for (const T &v : a.host())
        print_one(v);
    printf("\n");
    fflush(stdout);
}

static float scalar(float *, double re, double)
{
    return (float)re;
}
static double scalar(double *, double re, double)
{
    return re;
}
static cuComplex scalar(cuComplex *, double re, double im)
{
    return make_cuComplex((float)re, (float)im);
}
static cuDoubleComplex scalar(cuDoubleComplex *, double re, double im)
{
    return make_cuDoubleComplex(re, im);
}
static double squared(float v)
{
    return v * v;
}
static double squared(double v)
{
    return v * v;
}
static double squared(cuComplex v)
{
    return v.x * v.x + v.y * v.y;
}
static double squared(cuDoubleComplex v)
{
    return v.x * v.x + v.y * v.y;
}

static cusolverDnHandle_t h;

static void codes()
{
    std::vector<float> values;
    for (int i = 0; i < 64; i++)
        values.push_back((float)(i % 5 == 0 ? 9 : i * 7 % 11 - 5));
    device_array<float> A(values), B(values), W(std::vector<float>(4096, 0));
    device_array<int> I(std::vector<int>(1, -7)), P(std::vector<int>(64, 0));
    float *a = A.at, *b = B.at, *w = W.at;
    int *info = I.at, *p = P.at, size = -1;
    const cublasFillMode_t L = CUBLAS_FILL_MODE_LOWER, fill7 = (cublasFillMode_t)7;
    const cublasOperation_t N = CUBLAS_OP_N, op7 = (cublasOperation_t)7;
    const cusolverEigMode_t V = CUSOLVER_EIG_MODE_VECTOR, mode7 = (cusolverEigMode_t)7;
    CODE(cusolverGetVersion(nullptr));
    CODE(cusolverDnSpotrf_bufferSize(h, L, -1, a, 4, &size));
    CODE(cusolverDnSpotrf_bufferSize(h, L, 4, a, 3, &size));
    CODE(cusolverDnSpotrf_bufferSize(h, fill7, 4, a, 4, &size));
    CODE(cusolverDnSpotrf(h, L, -1, a, 4, w, 4096, info));
    show("info", I);
    CODE(cusolverDnSpotrf(h, L, 4, a, 3, w, 4096, info));
    show("info", I);
    CODE(cusolverDnSpotrf(h, fill7, 4, a, 4, w, 4096, info));
    show("info", I);
    CODE(cusolverDnSpotrf(h, L, 0, a, 1, w, 4096, info));
    show("info", I);
    CODE(cusolverDnSpotrs(h, L, 4, -1, a, 4, b, 4, info));
    CODE(cusolverDnSpotrs(h, L, 4, 1, a, 4, b, 3, info));
    CODE(cusolverDnSgetrf_bufferSize(h, -1, 4, a, 4, &size));
    CODE(cusolverDnSgetrf_bufferSize(h, 4, 4, a, 3, &size));
    CODE(cusolverDnSgetrs(h, op7, 4, 1, a, 4, p, b, 4, info));
    CODE(cusolverDnSgetrs(h, N, 4, 1, a, 3, p, b, 4, info));
    CODE(cusolverDnSgetrs(h, N, 4, 1, a, 4, p, b, 3, info));
    CODE(cusolverDnSgeqrf_bufferSize(h, 4, -1, a, 4, &size));
    CODE(cusolverDnSorgqr_bufferSize(h, 4, 5, 4, a, 4, w, &size));
    CODE(cusolverDnSormqr_bufferSize(h, CUBLAS_SIDE_LEFT, N, 4, 4, 5, a, 4, w, b, 4, &size));
    CODE(cusolverDnSsyevd_bufferSize(h, mode7, L, 4, a, 4, w, &size));
    CODE(cusolverDnSsyevd_bufferSize(h, V, L, 4, a, 3, w, &size));
    CODE(cusolverDnSgesvd_bufferSize(h, 3, 4, &size));
    CODE(cusolverDnSgesvd_bufferSize(h, 4, -3, &size));
    CODE(cudaDeviceSynchronize());
}

template <typename T> struct solver;
#define SOLVER(T, letter, R, un, syevd_name)                                            \
    template <> struct solver<T> {                                                      \
        typedef R real;                                                                 \
        static constexpr const char *name = #letter;                                    \
        static constexpr auto potrf_size = cusolverDn##letter##potrf_bufferSize;        \
        static constexpr auto potrf = cusolverDn##letter##potrf;                        \
        static constexpr auto potrs = cusolverDn##letter##potrs;                        \
        static constexpr auto potri_size = cusolverDn##letter##potri_bufferSize;        \
        static constexpr auto potri = cusolverDn##letter##potri;                        \
        static constexpr auto potrf_batched = cusolverDn##letter##potrfBatched;         \
        static constexpr auto potrs_batched = cusolverDn##letter##potrsBatched;         \
        static constexpr auto getrf_size = cusolverDn##letter##getrf_bufferSize;        \
        static constexpr auto getrf = cusolverDn##letter##getrf;                        \
        static constexpr auto getrs = cusolverDn##letter##getrs;                        \
        static constexpr auto geqrf_size = cusolverDn##letter##geqrf_bufferSize;        \
        static constexpr auto geqrf = cusolverDn##letter##geqrf;                        \
        static constexpr auto orgqr_size = cusolverDn##letter##un##gqr_bufferSize;      \
        static constexpr auto orgqr = cusolverDn##letter##un##gqr;                      \
        static constexpr auto ormqr_size = cusolverDn##letter##un##mqr_bufferSize;      \
        static constexpr auto ormqr = cusolverDn##letter##un##mqr;                      \
        static constexpr auto syevd_size = cusolverDn##letter##syevd_name##_bufferSize; \
        static constexpr auto syevd = cusolverDn##letter##syevd_name;                   \
        static constexpr auto gesvd_size = cusolverDn##letter##gesvd_bufferSize;        \
        static constexpr auto gesvd = cusolverDn##letter##gesvd;                        \
    };
SOLVER(float, S, float, or, syevd)
SOLVER(double, D, double, or, syevd)
SOLVER(cuComplex, C, float, un, heevd)
SOLVER(cuDoubleComplex, Z, double, un, heevd)

template <typename T> static std::vector<T> matrix(const double *re, const double *im, int count)
{
    std::vector<T> values;
    for (int i = 0; i < count; i++)
        values.push_back(scalar((T *)nullptr, re[i], im ? im[i] : 0));
    return values;
}

template <typename T> static double norm(const device_array<T> &a)
{
    double sum = 0;
    for (const T &v : a.host())
        sum += squared(v);
    return sqrt(sum);
}

template <typename T> static void results()
{
    typedef solver<T> S;
    typedef typename S::real R;
    // L = [2 0 0; 6 1 0; -8 5 3] (columns 2 6 -8, 1 5, 3): the textbook's example, whose factor has whole numbers
    static const double definite[] = {4, 12, -16, 12, 37, -43, -16, -43, 98}, right[] = {1, 2, 3, 4, 5, 6};
    static const double general[] = {1, 4, 7, 2, 5, 8, 3, 6, 10}, imaginary[] = {0, 1, -1, 2, 0, 1, 1, -2, 0};
    static const double tall[] = {3, 4, 0, 12, 1, 2, 2, -1};
    printf("type %s\n", S::name);
    device_array<int> info(std::vector<int>(2, -7)), pivots(std::vector<int>(3, 0));
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        device_array<T> a(matrix<T>(definite, nullptr, 9)), b(matrix<T>(right, nullptr, 6));
        int size = 0;
        MUST(S::potrf_size(h, fill, 3, a.at, 3, &size));
        device_array<T> work(std::vector<T>(size + 1));
        MUST(S::potrf(h, fill, 3, a.at, 3, work.at, size, info.at));
        show("potrf", a), show("info", info);
        MUST(S::potrs(h, fill, 3, 2, a.at, 3, b.at, 3, info.at));
        show("potrs", b);
        MUST(S::potri_size(h, fill, 3, a.at, 3, &size));
        device_array<T> more(std::vector<T>(size + 1));
        MUST(S::potri(h, fill, 3, a.at, 3, more.at, size, info.at));
        show("potri", a), show("info", info);
    }
    {
        static const double indefinite[] = {4, 2, 2, 2, 1, 5, 2, 5, -9};
        device_array<T> a(matrix<T>(indefinite, nullptr, 9)), work(std::vector<T>(4096));
        int size = 0;
        MUST(S::potrf_size(h, CUBLAS_FILL_MODE_LOWER, 3, a.at, 3, &size));
        MUST(S::potrf(h, CUBLAS_FILL_MODE_LOWER, 3, a.at, 3, work.at, 4096, info.at));
        show("info of an indefinite matrix", info);
    }
    {
        device_array<T> a(matrix<T>(definite, nullptr, 9)), a2(matrix<T>(general, nullptr, 9)),
            b(matrix<T>(right, nullptr, 3));
        device_array<T *> both({a.at, a2.at}), rights({b.at});
        MUST(S::potrf_batched(h, CUBLAS_FILL_MODE_LOWER, 3, both.at, 3, info.at, 2));
        show("potrfBatched", a), show("info", info);
        MUST(S::potrs_batched(h, CUBLAS_FILL_MODE_LOWER, 3, 1, both.at, 3, rights.at, 3, info.at, 1));
        show("potrsBatched", b);
    }
    for (const double *parts : {(const double *)nullptr, imaginary}) {
        device_array<T> a(matrix<T>(general, parts, 9)), b(matrix<T>(right, nullptr, 6));
        int size = 0;
        MUST(S::getrf_size(h, 3, 3, a.at, 3, &size));
        device_array<T> work(std::vector<T>(size + 1));
        MUST(S::getrf(h, 3, 3, a.at, 3, work.at, pivots.at, info.at));
        show("getrf", a), show("pivots", pivots), show("info", info);
        for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
            MUST(S::getrs(h, op, 3, 2, a.at, 3, pivots.at, b.at, 3, info.at));
            show("getrs", b);
        }
    }
    {
        device_array<T> work(std::vector<T>(4096));
        device_array<T> c(matrix<T>(general, nullptr, 9));
        MUST(S::getrf(h, 3, 3, c.at, 3, work.at, nullptr, info.at));
        show("getrf without pivots", c);
    }
    {
        device_array<T> a(matrix<T>(tall, nullptr, 8)), tau(std::vector<T>(2)), c(matrix<T>(tall, nullptr, 8));
        int size = 0, size2 = 0, size3 = 0;
        MUST(S::geqrf_size(h, 4, 2, a.at, 4, &size));
        MUST(S::orgqr_size(h, 4, 2, 2, a.at, 4, tau.at, &size2));
        cublasOperation_t back = sizeof(T) == 2 * sizeof(R) ? CUBLAS_OP_C : CUBLAS_OP_T;
        MUST(S::ormqr_size(h, CUBLAS_SIDE_LEFT, back, 4, 2, 2, a.at, 4, tau.at, c.at, 4, &size3));
        size = size > size2 ? size : size2;
        size = size > size3 ? size : size3;
        device_array<T> work(std::vector<T>(size + 1));
        MUST(S::geqrf(h, 4, 2, a.at, 4, tau.at, work.at, size, info.at));
        show("geqrf", a), show("tau", tau), show("info", info);
        MUST(S::ormqr(h, CUBLAS_SIDE_LEFT, back, 4, 2, 2, a.at, 4, tau.at, c.at, 4, work.at, size, info.at));
        show("ormqr", c);
        MUST(S::orgqr(h, 4, 2, 2, a.at, 4, tau.at, work.at, size, info.at));
        show("orgqr", a);
    }
    for (cusolverEigMode_t mode : {CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR}) {
        device_array<T> a(matrix<T>(definite, nullptr, 9));
        device_array<R> values(std::vector<R>(3));
        int size = 0;
        MUST(S::syevd_size(h, mode, CUBLAS_FILL_MODE_LOWER, 3, a.at, 3, values.at, &size));
        device_array<T> work(std::vector<T>(size + 1));
        MUST(S::syevd(h, mode, CUBLAS_FILL_MODE_LOWER, 3, a.at, 3, values.at, work.at, size, info.at));
        show("eigenvalues", values), show("info", info);
        if (mode == CUSOLVER_EIG_MODE_VECTOR)
            printf("norm of the vectors %.4f\n", norm(a));
    }
    {
        device_array<T> a(matrix<T>(tall, nullptr, 8)), u(std::vector<T>(16)), v(std::vector<T>(4));
        device_array<R> values(std::vector<R>(2)), rest(std::vector<R>(8));
        int size = 0;
        MUST(S::gesvd_size(h, 4, 2, &size));
        device_array<T> work(std::vector<T>(size + 1));
        MUST(S::gesvd(h, 'A', 'A', 4, 2, a.at, 4, values.at, u.at, 4, v.at, 2, work.at, size, rest.at, info.at));
        show("singular values", values), show("info", info);
        printf("norms of the vectors %.4f %.4f\n", norm(u), norm(v));
    }
}

int main()
{
    signal(SIGSEGV, fell);
    MUST(cusolverDnCreate(&h));
    codes();
    signal(SIGSEGV, SIG_DFL);
    results<float>();
    results<double>();
    results<cuComplex>();
    results<cuDoubleComplex>();
    MUST(cusolverDnDestroy(h));
    CODE(cudaDeviceSynchronize());
    return 0;
}
