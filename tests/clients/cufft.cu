// What cuFFT answers: the codes of wrong arguments, and transforms of small arrays. Every line that this prints must be the
// same on every device, but for the last digits of numbers. cufft.txt holds what it printed with NVIDIA's library (12.0) on
// an H200.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

static sigjmp_buf before_call;
static void fell(int) { siglongjmp(before_call, 1); }

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
    ~device_array() { cudaFree(at); }
    std::vector<T> host() const
    {
        std::vector<T> values(count);
        MUST(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
};

// Without -0, whose sign is a matter of rounding.
static double plain(double v) { return v > -5e-6 && v < 5e-6 ? 0 : v; }
static void print_one(float v) { printf(" %.5f", plain(v)); }
static void print_one(double v) { printf(" %.5f", plain(v)); }
static void print_one(cufftComplex v) { printf(" (%.5f %.5f)", plain(v.x), plain(v.y)); }
static void print_one(cufftDoubleComplex v) { printf(" (%.5f %.5f)", plain(v.x), plain(v.y)); }
template <typename T> static void show(const char *name, const device_array<T> &a)
{
    printf("%s:", name);
    for (const T &v : a.host())
        print_one(v);
    printf("\n");
    fflush(stdout);
}

static void set(float &v, int i) { v = (float)(i * 7 % 11 - 5); }
static void set(double &v, int i) { v = i * 7 % 11 - 5; }
static void set(cufftComplex &v, int i) { v = {(float)(i * 7 % 11 - 5), (float)(i * 5 % 7 - 3)}; }
static void set(cufftDoubleComplex &v, int i) { v = {(double)(i * 7 % 11 - 5), (double)(i * 5 % 7 - 3)}; }
template <typename T> static std::vector<T> numbers(int count)
{
    std::vector<T> values(count);
    for (int i = 0; i < count; i++)
        set(values[i], i);
    return values;
}

static void codes_of_plans()
{
    cufftHandle p = 12345;
    int three[3] = {4, 4, 4}, four[4] = {2, 2, 2, 2}, small[1] = {3}, wide[1] = {8}, zero[1] = {0};
    long long eight[1] = {8}, seven[1] = {7};
    size_t size = 0;
    CODE(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
    CODE(cufftPlan1d(&p, 0, CUFFT_C2C, 1));
    CODE(cufftPlan1d(&p, -1, CUFFT_C2C, 1));
    CODE(cufftPlan1d(&p, 1, CUFFT_C2C, 1));
    CODE(cufftPlan1d(&p, 1, CUFFT_R2C, 1));
    CODE(cufftPlan1d(&p, 8, CUFFT_C2C, 0));
    CODE(cufftPlan1d(&p, 8, CUFFT_C2C, -1));
    CODE(cufftPlan1d(&p, 8, (cufftType)7, 1));
    CODE(cufftPlan2d(&p, 0, 4, CUFFT_C2C));
    CODE(cufftPlan2d(&p, 1, 1, CUFFT_C2C));
    CODE(cufftPlan3d(&p, 4, 4, 4, (cufftType)0));
    CODE(cufftPlanMany(&p, 0, three, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, 4, four, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, -1, three, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, 1, zero, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, 1, wide, wide, 0, 8, wide, 1, 8, CUFFT_C2C, 2));
    CODE(cufftPlanMany(&p, 1, wide, wide, 1, 8, wide, 0, 8, CUFFT_C2C, 2));
    CODE(cufftPlanMany(&p, 1, wide, wide, -1, 8, wide, 1, 8, CUFFT_C2C, 2));
    CODE(cufftPlanMany(&p, 1, wide, small, 1, 8, small, 1, 8, CUFFT_C2C, 2));
    CODE(cufftPlanMany(&p, 1, wide, wide, 1, 0, wide, 1, 0, CUFFT_C2C, 2));
    CODE(cufftPlanMany(&p, 1, wide, wide, 1, -8, wide, 1, 8, CUFFT_C2C, 2));
    CODE(cufftPlanMany(&p, 1, wide, zero, 1, 8, wide, 1, 8, CUFFT_C2C, 2));
    CODE(cufftPlanMany(&p, 1, wide, wide, 1, 8, wide, 1, 8, CUFFT_C2C, 0));
    CODE(cufftPlanMany(&p, 2, three, three, 1, 1, three, 1, 1, CUFFT_R2C, 1));
    CODE(cufftPlanMany(&p, 1, wide, wide, 1, 0, wide, 1, 0, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, 1, wide, wide, 0, 1, wide, 1, 1, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, 1, wide, wide, 1, -1, wide, 1, 1, CUFFT_C2C, 1));
    CODE(cufftPlanMany(&p, 1, wide, nullptr, 0, 0, nullptr, 0, 0, CUFFT_C2C, 2));
    CODE(cufftCreate(nullptr));
    CODE(cufftDestroy(9999));
    CODE(cufftDestroy(-1));
    CODE(cufftMakePlan1d(9999, 8, CUFFT_C2C, 1, &size));
    CODE(cufftCreate(&p));
    CODE(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, nullptr));
    CODE(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &size));
    CODE(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &size));
    CODE(cufftSetAutoAllocation(p, 0));
    CODE(cufftSetStream(p, 0));
    CODE(cufftDestroy(p));
    CODE(cufftDestroy(p));
    CODE(cufftSetStream(p, 0));
    CODE(cufftGetSize(p, &size));
    CODE(cufftCreate(&p));
    CODE(cufftMakePlan1d(p, 0, CUFFT_C2C, 1, &size));
    CODE(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &size));
    CODE(cufftDestroy(p));
    CODE(cufftCreate(&p));
    CODE(cufftGetSize(p, &size));
    CODE(cufftGetSize(p, nullptr));
    CODE(cufftGetSize1d(p, 8, CUFFT_C2C, 1, &size));
    CODE(cufftGetSize1d(p, 0, CUFFT_C2C, 1, &size));
    CODE(cufftGetSize1d(p, 8, CUFFT_C2C, 1, nullptr));
    CODE(cufftEstimate1d(8, CUFFT_C2C, 1, &size));
    CODE(cufftEstimate1d(0, CUFFT_C2C, 1, &size));
    CODE(cufftEstimate2d(8, 8, CUFFT_R2C, &size));
    CODE(cufftEstimate1d(8, CUFFT_C2C, 1, nullptr));
    CODE(cufftEstimate1d(8, (cufftType)7, 1, &size));
    CODE(cufftXtMakePlanMany(p, 1, eight, nullptr, 1, 1, CUDA_C_32F, nullptr, 1, 1, CUDA_C_64F, 1, &size, CUDA_C_32F));
    CODE(cufftDestroy(p));
    CODE(cufftCreate(&p));
    CODE(cufftXtMakePlanMany(p, 1, seven, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F, 1, &size, CUDA_C_16F));
    CODE(cufftDestroy(p));
    CODE(cufftCreate(&p));
    CODE(cufftXtMakePlanMany(p, 1, eight, nullptr, 1, 1, CUDA_R_32F, nullptr, 1, 1, CUDA_R_32F, 1, &size, CUDA_C_32F));
    CODE(cufftDestroy(p));
    CODE(cufftCreate(&p));
    CODE(cufftXtMakePlanMany(p, 1, eight, nullptr, 1, 1, CUDA_R_32F, nullptr, 1, 1, CUDA_C_32F, 1, &size, CUDA_C_32F));
    CODE(cufftDestroy(p));
    CODE(cufftGetVersion(nullptr));
    CODE(cufftGetProperty(MAJOR_VERSION, nullptr));
    int v = 0;
    CODE(cufftGetProperty((libraryPropertyType)7, &v));
    CODE(cufftGetProperty(MAJOR_VERSION, &v));
    printf("major version: %d\n", v);
}

static void codes_of_execution()
{
    device_array<cufftComplex> a(numbers<cufftComplex>(64)), b(numbers<cufftComplex>(64));
    cufftHandle p;
    MUST(cufftPlan1d(&p, 8, CUFFT_C2C, 1));
    CODE(cufftExecC2C(9999, a.at, b.at, CUFFT_FORWARD));
    CODE(cufftExecC2C(p, a.at, b.at, CUFFT_FORWARD));
    CODE(cufftExecC2C(p, a.at, b.at, 0));
    CODE(cufftExecC2C(p, a.at, b.at, 7));
    CODE(cufftXtExec(p, a.at, b.at, CUFFT_FORWARD));
    CODE(cufftXtExec(p, a.at, b.at, 0));
    CODE(cufftDestroy(p));
    MUST(cufftPlan1d(&p, 8, CUFFT_R2C, 1));
    CODE(cufftExecC2R(p, a.at, (float *)b.at));
    CODE(cufftExecR2C(p, (float *)a.at, b.at));
    CODE(cufftExecR2C(p, (float *)a.at, a.at));
    CODE(cufftXtExec(p, a.at, b.at, CUFFT_FORWARD));
    CODE(cufftXtExec(p, a.at, b.at, CUFFT_INVERSE));
    CODE(cufftSetWorkArea(p, nullptr));
    CODE(cufftDestroy(p));
    MUST(cufftPlan1d(&p, 8, CUFFT_C2R, 1));
    CODE(cufftXtExec(p, a.at, b.at, CUFFT_FORWARD));
    CODE(cufftXtExec(p, a.at, b.at, CUFFT_INVERSE));
    CODE(cufftExecC2R(p, a.at, (float *)b.at + 1));
    CODE(cufftExecC2R(p, (cufftComplex *)((float *)a.at + 1), (float *)b.at));
    CODE(cufftDestroy(p));
    MUST(cufftPlan1d(&p, 8, CUFFT_R2C, 1));
    CODE(cufftExecR2C(p, (float *)a.at + 1, b.at));
    CODE(cufftExecR2C(p, (float *)a.at, (cufftComplex *)((float *)b.at + 1)));
    CODE(cufftDestroy(p));
    MUST(cufftCreate(&p));
    CODE(cufftExecC2C(p, a.at, b.at, CUFFT_FORWARD));
    CODE(cufftSetAutoAllocation(p, 0));
    CODE(cufftSetAutoAllocation(p, 7));
    CODE(cufftSetWorkArea(p, a.at));
    CODE(cufftDestroy(p));
    size_t size = 0;
    long long value = -1;
    MUST(cufftCreate(&p));
    CODE(cufftGetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value));
    printf("patient: %lld\n", value);
    CODE(cufftSetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
    CODE(cufftSetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 7));
    CODE(cufftSetPlanPropertyInt64(p, (cufftProperty)7, 1));
    CODE(cufftGetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value));
    printf("patient: %lld\n", value);
    CODE(cufftSetAutoAllocation(p, 0));
    CODE(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &size));
    CODE(cufftSetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
    CODE(cufftDestroy(p));
}

template <typename I, typename O, typename F>
static void transform(const char *name, int rank, int *n, int *in, int is, int id, int *on, int os, int od, cufftType type,
                      int batch, int inputs, int outputs, F run)
{
    cufftHandle p;
    device_array<I> a(numbers<I>(inputs));
    device_array<O> b(numbers<O>(outputs));
    int code = cufftPlanMany(&p, rank, n, in, is, id, on, os, od, type, batch);
    if (code == 0)
        code = run(p, a.at, b.at);
    MUST(cudaDeviceSynchronize());
    printf("%s: %d\n", name, code);
    show(name, b);
    auto before = numbers<I>(inputs), after = a.host();
    printf("input kept: %d\n", memcmp(before.data(), after.data(), inputs * sizeof(I)) == 0);
    cufftDestroy(p);
}

static void results()
{
    auto forward = [](cufftHandle p, cufftComplex *a, cufftComplex *b) { return cufftExecC2C(p, a, b, CUFFT_FORWARD); };
    auto inverse = [](cufftHandle p, cufftComplex *a, cufftComplex *b) { return cufftExecC2C(p, a, b, CUFFT_INVERSE); };
    auto z = [](cufftHandle p, cufftDoubleComplex *a, cufftDoubleComplex *b) { return cufftExecZ2Z(p, a, b,
        CUFFT_FORWARD); };
    auto r2c = [](cufftHandle p, float *a, cufftComplex *b) { return cufftExecR2C(p, a, b); };
    auto d2z = [](cufftHandle p, double *a, cufftDoubleComplex *b) { return cufftExecD2Z(p, a, b); };
    auto c2r = [](cufftHandle p, cufftComplex *a, float *b) {
        cufftComplex first = {3, 0}; // what has no partner in a real array's transform is real
        cudaMemcpy(a, &first, sizeof first, cudaMemcpyHostToDevice);
        return cufftExecC2R(p, a, b);
    };
    auto inplace = [](cufftHandle p, float *a, cufftComplex *b) { return cufftExecR2C(p, (float *)b, b); };
    int one[1] = {1}, five[1] = {5}, seven[1] = {7}, eight[1] = {8}, nine[1] = {9}, flat[2] = {3, 4}, cube[3] = {2, 3, 4};
    int in[2] = {5, 6}, on[2] = {4, 5}, half[2] = {4, 4};
    transform<cufftComplex, cufftComplex>("one", 1, one, 0, 1, 0, 0, 1, 0, CUFFT_C2C, 2, 2, 2, forward);
    transform<cufftComplex, cufftComplex>("eight", 1, eight, 0, 1, 0, 0, 1, 0, CUFFT_C2C, 1, 8, 8, forward);
    transform<cufftComplex, cufftComplex>("seven, backwards, twice", 1, seven, 0, 1, 0, 0, 1, 0, CUFFT_C2C, 2, 14, 14,
        inverse);
    transform<cufftDoubleComplex, cufftDoubleComplex>("double", 1, nine, 0, 1, 0, 0, 1, 0, CUFFT_Z2Z, 1, 9, 9, z);
    transform<float, cufftComplex>("real", 1, nine, 0, 1, 0, 0, 1, 0, CUFFT_R2C, 2, 18, 10, r2c);
    transform<double, cufftDoubleComplex>("real double", 1, eight, 0, 1, 0, 0, 1, 0, CUFFT_D2Z, 2, 16, 10, d2z);
    transform<cufftComplex, float>("to real, odd", 1, nine, 0, 1, 0, 0, 1, 0, CUFFT_C2R, 1, 5, 9, c2r);
    transform<float, cufftComplex>("flat, real", 2, flat, 0, 1, 0, 0, 1, 0, CUFFT_R2C, 2, 24, 18, r2c);
    transform<float, cufftComplex>("flat, in place", 2, flat, 0, 1, 0, 0, 1, 0, CUFFT_R2C, 2, 1, 18, inplace);
    transform<float, cufftComplex>("five, in place", 1, five, 0, 1, 0, 0, 1, 0, CUFFT_R2C, 2, 1, 6, inplace);
    transform<cufftComplex, cufftComplex>("flat", 2, flat, 0, 1, 0, 0, 1, 0, CUFFT_C2C, 2, 24, 24, forward);
    transform<cufftComplex, cufftComplex>("cube", 3, cube, 0, 1, 0, 0, 1, 0, CUFFT_C2C, 1, 24, 24, inverse);
    transform<float, cufftComplex>("cube, real", 3, cube, 0, 1, 0, 0, 1, 0, CUFFT_R2C, 1, 24, 18, r2c);
    transform<cufftComplex, cufftComplex>("strided", 1, five, five, 2, 11, five, 3, 1, CUFFT_C2C, 2, 20, 16, forward);
    transform<cufftComplex, cufftComplex>("columns", 1, five, five, 3, 1, five, 3, 1, CUFFT_C2C, 3, 15, 15, forward);
    transform<cufftComplex, cufftComplex>("embedded", 2, flat, in, 1, 30, on, 2, 40, CUFFT_C2C, 2, 60, 80, forward);
    transform<float, cufftComplex>("embedded, real", 2, flat, in, 2, 60, half, 1, 16, CUFFT_R2C, 2, 120, 32, r2c);
    transform<cufftComplex, cufftComplex>("one side embedded", 1, five, 0, 2, 10, five, 2, 10, CUFFT_C2C, 2, 20, 20,
        forward);
    transform<cufftComplex, cufftComplex>("other side embedded", 1, five, five, 2, 10, 0, 2, 10, CUFFT_C2C, 2, 20, 20,
        forward);
    transform<cufftComplex, cufftComplex>("same distance", 1, five, five, 1, 0, five, 1, 5, CUFFT_C2C, 2, 10, 10, forward);
}

// What may leave a GPU unusable, or is answered differently on purpose (the library's README.md): one a process.
static void risky(int which)
{
    device_array<cufftComplex> a(numbers<cufftComplex>(7919)), b(numbers<cufftComplex>(7919));
    cufftHandle p;
    size_t size = 0;
    MUST(cufftPlan1d(&p, 8, CUFFT_C2C, 1));
    if (which == 1)
        CODE(cufftExecC2C(p, nullptr, b.at, CUFFT_FORWARD));
    if (which == 2)
        CODE(cufftExecC2C(p, a.at, nullptr, CUFFT_FORWARD));
    if (which == 3)
        CODE(cufftExecC2C(p, (cufftComplex *)((char *)a.at + 4), b.at, CUFFT_FORWARD));
    if (which == 4) {
        MUST(cufftCreate(&p));
        MUST(cufftSetAutoAllocation(p, 0));
        MUST(cufftMakePlan1d(p, 7919, CUFFT_C2C, 1, &size));
        printf("7919 needs working memory: %d\n", size > 0);
        CODE(cufftExecC2C(p, a.at, b.at, CUFFT_FORWARD));
    }
    if (which == 5) {
        std::vector<cufftComplex> host(8);
        CODE(cufftExecC2C(p, host.data(), b.at, CUFFT_FORWARD));
    }
    if (which == 6) {
        CODE(cufftPlan2d(&p, 4, -4, CUFFT_C2C));
        CODE(cufftPlan3d(&p, 4, 4, 0, CUFFT_C2C));
    }
    if (which == 7)
        CODE(cufftExecR2C(p, (float *)a.at, b.at));
    CODE(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    signal(SIGSEGV, fell);
    MUST(cudaFree(0));
    if (argc > 1) {
        risky(atoi(argv[1]));
        return 0;
    }
    codes_of_plans();
    codes_of_execution();
    cudaError_t broken = cudaDeviceSynchronize();
    printf("device afterwards: %d\n", (int)broken);
    results();
    return 0;
}
