/* cuBLAS on the emulated device: what it exports, what it refuses, and what it looks at of its operands. What it computes and
 * answers is beside what a GPU does in linear_algebra_test.py. */
#include <stdint.h>

#include "tests/math_library.h"
#include "tests/support.h"

enum { SUCCESS, NOT_INITIALIZED, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum { N, T };
enum { LOWER, UPPER };
enum { LEFT };

typedef int handle_fn(void *handle);
typedef int create_fn(void **handle);
typedef int gemm_fn(void *handle, int opa, int opb, int m, int n, int k, const float *alpha, const float *a, int lda,
                    const float *b, int ldb, const float *beta, float *c, int ldc);
typedef int gemm_64_fn(void *handle, int opa, int opb, int64_t m, int64_t n, int64_t k, const float *alpha, const float *a,
                       int64_t lda, const float *b, int64_t ldb, const float *beta, float *c, int64_t ldc);
typedef int syrk_fn(void *handle, int fill, int op, int n, int k, const float *alpha, const float *a, int lda,
                    const float *beta, float *c, int ldc);
typedef int trsm_fn(void *handle, int side, int fill, int op, int diagonal, int m, int n, const float *alpha, const float *a,
                    int lda, float *b, int ldb);
typedef int dot_fn(void *handle, int n, const float *x, int incx, const float *y, int incy, float *result);
typedef int mode_fn(void *handle, int mode);
typedef int vector_fn(int n, int size, const void *x, int incx, void *y, int incy);

static void *handle;
static const float one = 1, zero = 0;
/* 4 x 4, column by column. */
static const float ordinary[16] = {2, 1, 3, 5, 0, 4, 1, 2, 7, 3, 2, 1, 1, 1, 2, 6};

static int set_up(void)
{
    if (math_library_open("libcublas.so.13") != 0)
        return -1;
    create_fn *create = (create_fn *)math_library_function("cublasCreate_v2");
    return create && create(&handle) == SUCCESS ? 0 : -1;
}

static void exports_what_nvidias_library_does(void)
{
    math_library_compare("libcublas.so.13", "cublas");
    math_library_compare("libcublasLt.so.13", "cublasLt");
}

static void refuses_by_name_what_it_does_not_offer(void)
{
    static const char *const refused[] = {
#define ALL(...)
#define ALL_NARROW(...)
#define REAL(...)
#define REAL_NARROW(...)
#define COMPLEX(...)
#define SUM(...)
#define INDEX(...)
#define CROSS(...)
#define ONE(...)
#define OWN(name)
#define REFUSED(name) #name,
#include "runtime/emulator/math_libraries/cublas/cublas.def"
#undef REFUSED
    };
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        handle_fn *function = (handle_fn *)math_library_function(refused[i]);
        if (function && i < 4)
            CU_ASSERT_EQUAL(function(handle), NOT_SUPPORTED);
    }
}

static void knows_a_handle_that_is_none(void)
{
    create_fn *create = (create_fn *)math_library_function("cublasCreate_v2");
    handle_fn *destroy = (handle_fn *)math_library_function("cublasDestroy_v2");
    gemm_fn *gemm = (gemm_fn *)math_library_function("cublasSgemm_v2");
    void *other;
    CU_ASSERT_EQUAL(create(&other), SUCCESS);
    CU_ASSERT_EQUAL(destroy(other), SUCCESS);
    CU_ASSERT_EQUAL(destroy(other), NOT_INITIALIZED);
    CU_ASSERT_EQUAL(gemm(other, N, N, 0, 0, 0, &one, NULL, 1, NULL, 1, &zero, NULL, 1), NOT_INITIALIZED);
}

static void multiplies_what_lies_in_device_memory(void)
{
    gemm_fn *gemm = (gemm_fn *)math_library_function("cublasSgemm_v2");
    gemm_64_fn *wide = (gemm_64_fn *)math_library_function("cublasSgemm_v2_64");
    float got[4];
    /* Two rows of A, two columns of B; a result that was never written before. */
    float *a = math_library_memory(ordinary, sizeof ordinary), *c = math_library_memory(NULL, sizeof got);
    size_t before = math_library_findings("cublas");
    CU_ASSERT_EQUAL(gemm(handle, N, N, 2, 2, 4, &one, a, 4, a, 4, &zero, c, 2), SUCCESS);
    math_library_read(c, got, sizeof got);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            float sum = 0;
            for (int l = 0; l < 4; l++)
                sum += ordinary[i + 4 * l] * ordinary[l + 4 * j];
            CU_ASSERT_EQUAL(got[i + 2 * j], sum);
        }
    CU_ASSERT_EQUAL(wide(handle, T, N, 2, 2, 4, &one, a, 4, a, 4, &one, c, 2), SUCCESS);
    CU_ASSERT_EQUAL(wide(handle, N, N, INT64_C(1) << 32, 1, 1, &one, a, INT64_C(1) << 32, a, 1, &zero, c, INT64_C(1) << 32),
                    EXECUTION_FAILED);
    CU_ASSERT_EQUAL(math_library_findings("cublas"), before + 1);
    math_library_free(a);
    math_library_free(c);
}

static void finds_what_was_never_written(void)
{
    gemm_fn *gemm = (gemm_fn *)math_library_function("cublasSgemm_v2");
    float *a = math_library_memory(ordinary, sizeof ordinary), *c = math_library_memory(NULL, sizeof ordinary);
    size_t before = math_library_findings("cublasSgemm reads what was never written");
    CU_ASSERT_EQUAL(gemm(handle, N, N, 4, 4, 4, &one, a, 4, a, 4, &one, c, 4), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cublasSgemm reads what was never written"), before + 1);
    CU_ASSERT_EQUAL(gemm(handle, N, N, 4, 4, 4, &one, a, 4, a, 4, &one, c, 4), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cublasSgemm reads what was never written"), before + 1);
    math_library_free(a);
    math_library_free(c);
}

static void finds_an_operand_that_is_too_short_or_freed(void)
{
    gemm_fn *gemm = (gemm_fn *)math_library_function("cublasSgemm_v2");
    float *a = math_library_memory(ordinary, sizeof ordinary), *c = math_library_memory(NULL, sizeof ordinary);
    size_t before =
        math_library_findings("cublasSgemm would read 100 bytes from byte 0 of the allocation, which has 64 bytes");
    CU_ASSERT_EQUAL(gemm(handle, N, N, 5, 4, 5, &one, a, 5, a, 5, &zero, c, 5), EXECUTION_FAILED);
    CU_ASSERT_EQUAL(
        math_library_findings("cublasSgemm would read 100 bytes from byte 0 of the allocation, which has 64 bytes"),
        before + 1);
    math_library_free(c);
    before = math_library_findings("cublasSgemm was given an address in the allocation (64 bytes), which was freed");
    CU_ASSERT_EQUAL(gemm(handle, N, N, 4, 4, 4, &one, a, 4, a, 4, &zero, c, 4), EXECUTION_FAILED);
    CU_ASSERT_EQUAL(math_library_findings("cublasSgemm was given an address in the allocation (64 bytes), which was freed"),
                    before + 1);
    before = math_library_findings("cublasSgemm was given the address 0");
    CU_ASSERT_EQUAL(gemm(handle, N, N, 4, 4, 4, &one, NULL, 4, a, 4, &zero, a, 4), INVALID_VALUE);
    CU_ASSERT_EQUAL(math_library_findings("cublasSgemm was given the address 0"), before + 1);
    math_library_free(a);
}

/* Memory of which only some elements were written: the others must not be looked at. */
static float *partly(bool upper, bool diagonal)
{
    float *memory = math_library_memory(NULL, sizeof ordinary);
    vector_fn *set = (vector_fn *)math_library_function("cublasSetVector");
    for (int column = 0; column < 4; column++) {
        int first = upper ? 0 : column + !diagonal, end = upper ? column + diagonal : 4;
        if (end > first)
            CU_ASSERT_EQUAL(set(end - first, sizeof(float), ordinary, 1, memory + 4 * column + first, 1), SUCCESS);
    }
    return memory;
}

static void looks_at_no_more_than_a_triangle(void)
{
    syrk_fn *syrk = (syrk_fn *)math_library_function("cublasSsyrk_v2");
    trsm_fn *trsm = (trsm_fn *)math_library_function("cublasStrsm_v2");
    float *a = math_library_memory(ordinary, sizeof ordinary);
    size_t before = math_library_findings("cublas");
    for (int upper = 0; upper < 2; upper++) {
        float *whole = partly(upper, true), *unit = partly(upper, false);
        CU_ASSERT_EQUAL(syrk(handle, upper, N, 4, 4, &one, a, 4, &one, whole, 4), SUCCESS);
        CU_ASSERT_EQUAL(trsm(handle, LEFT, upper, N, 0, 4, 4, &one, whole, 4, a, 4), SUCCESS);
        CU_ASSERT_EQUAL(trsm(handle, LEFT, upper, N, 1, 4, 4, &one, unit, 4, a, 4), SUCCESS);
        CU_ASSERT_EQUAL(math_library_findings("cublas"), before);
        CU_ASSERT_EQUAL(trsm(handle, LEFT, !upper, N, 0, 4, 4, &one, whole, 4, a, 4), SUCCESS);
        CU_ASSERT_EQUAL(math_library_findings("cublasStrsm reads what was never written"), (size_t)upper + 1);
        before = math_library_findings("cublas");
        math_library_free(whole);
        math_library_free(unit);
    }
    math_library_free(a);
}

static void padding_is_neither_read_nor_written(void)
{
    gemm_fn *gemm = (gemm_fn *)math_library_function("cublasSgemm_v2");
    vector_fn *set = (vector_fn *)math_library_function("cublasSetVector");
    dot_fn *dot = (dot_fn *)math_library_function("cublasSdot_v2");
    float *a = math_library_memory(NULL, sizeof ordinary), *c = math_library_memory(NULL, sizeof ordinary), result;
    size_t before = math_library_findings("cublas");
    for (int column = 0; column < 4; column++)
        CU_ASSERT_EQUAL(set(3, sizeof(float), ordinary, 1, a + 4 * column, 1), SUCCESS);
    CU_ASSERT_EQUAL(gemm(handle, N, T, 3, 3, 4, &one, a, 4, a, 4, &zero, c, 4), SUCCESS);
    CU_ASSERT_EQUAL(dot(handle, 4, a, 4, a + 1, -4, &result), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cublas"), before);
    CU_ASSERT_EQUAL(dot(handle, 4, c + 3, 4, a, 4, &result), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cublasSdot reads what was never written"), 1);
    math_library_free(a);
    math_library_free(c);
}

static void a_scalar_of_the_device_is_an_operand(void)
{
    dot_fn *dot = (dot_fn *)math_library_function("cublasSdot_v2");
    mode_fn *set_mode = (mode_fn *)math_library_function("cublasSetPointerMode_v2");
    float *a = math_library_memory(ordinary, sizeof ordinary), *result = math_library_memory(NULL, sizeof(float)), got = 0;
    size_t before = math_library_findings("cublasSdot would write");
    CU_ASSERT_EQUAL(set_mode(handle, 1), SUCCESS);
    CU_ASSERT_EQUAL(dot(handle, 4, a, 1, a, 1, result), SUCCESS);
    CU_ASSERT_EQUAL(dot(handle, 4, a, 1, a, 1, result + 1), EXECUTION_FAILED);
    CU_ASSERT_EQUAL(set_mode(handle, 0), SUCCESS);
    math_library_read(result, &got, sizeof got);
    CU_ASSERT_EQUAL(got, 4 + 1 + 9 + 25);
    CU_ASSERT_EQUAL(math_library_findings("cublasSdot would write"), before + 1);
    math_library_free(a);
    math_library_free(result);
}

static const struct support_test tests[] = {
    SUPPORT_TEST_OF(outside, exports_what_nvidias_library_does),
    SUPPORT_TEST(refuses_by_name_what_it_does_not_offer),
    SUPPORT_TEST(knows_a_handle_that_is_none),
    SUPPORT_TEST(multiplies_what_lies_in_device_memory),
    SUPPORT_TEST(finds_what_was_never_written),
    SUPPORT_TEST(finds_an_operand_that_is_too_short_or_freed),
    SUPPORT_TEST(looks_at_no_more_than_a_triangle),
    SUPPORT_TEST(padding_is_neither_read_nor_written),
    SUPPORT_TEST(a_scalar_of_the_device_is_an_operand),
};

int cublas_suite_register(void)
{
    return support_register_with("cublas", set_up, math_library_close, tests, SUPPORT_COUNT(tests));
}
