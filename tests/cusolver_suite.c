/* cuSOLVER on the emulated device: what it exports, what it refuses, and what it looks at of its operands. What it computes
 * and answers is beside what a GPU does in linear_algebra_test.py. */
#include <math.h>
#include <stdint.h>

#include "tests/math_library.h"
#include "tests/support.h"

enum { SUCCESS, NOT_INITIALIZED, INVALID_VALUE = 3, EXECUTION_FAILED = 6, NOT_SUPPORTED = 9 };
enum { LOWER };

typedef int handle_fn(void *handle);
typedef int create_fn(void **handle);
typedef int potrf_size_fn(void *handle, int fill, int n, double *a, int lda, int *length);
typedef int potrf_fn(void *handle, int fill, int n, double *a, int lda, double *work, int length, int *info);
typedef int getrf_fn(void *handle, int m, int n, double *a, int lda, double *work, int *pivots, int *info);

static void *handle;
/* L = [2 0 0; 6 1 0; -8 5 3] times its transpose. What is above the diagonal must not matter. */
static const double definite[9] = {4, 12, -16, NAN, 37, -43, NAN, NAN, 98};

static int set_up(void)
{
    if (math_library_open("libcusolver.so.12") != 0)
        return -1;
    create_fn *create = (create_fn *)math_library_function("cusolverDnCreate");
    return create && create(&handle) == SUCCESS ? 0 : -1;
}

static void exports_what_nvidias_library_does(void)
{
    math_library_compare("libcusolver.so.12", "cusolver");
}

static void refuses_by_name_what_it_does_not_offer(void)
{
    static const char *const refused[] = {
#define ALL(...)
#define REAL(...)
#define COMPLEX(...)
#define OWN(name)
#define REFUSED(name) #name,
#include "runtime/emulator/math_libraries/cusolver/cusolver.def"
#undef REFUSED
    };
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        handle_fn *function = (handle_fn *)math_library_function(refused[i]);
        if (function && i < 4)
            CU_ASSERT_EQUAL(function(handle), NOT_SUPPORTED);
    }
}

static void factors_one_triangle(void)
{
    potrf_size_fn *ask = (potrf_size_fn *)math_library_function("cusolverDnDpotrf_bufferSize");
    potrf_fn *potrf = (potrf_fn *)math_library_function("cusolverDnDpotrf");
    static const double expected[9] = {2, 6, -8, 0, 1, 5, 0, 0, 3};
    double got[9];
    int length = 0, result = -1;
    double *a = math_library_memory(definite, sizeof definite);
    int *info = math_library_memory(NULL, sizeof *info);
    CU_ASSERT_EQUAL(ask(handle, LOWER, 3, a, 3, &length), SUCCESS);
    CU_ASSERT(length > 0);
    double *work = math_library_memory(NULL, (size_t)length * sizeof *work);
    size_t before = math_library_findings("cusolver");
    CU_ASSERT_EQUAL(potrf(handle, LOWER, 3, a, 3, work, length, info), SUCCESS);
    math_library_read(a, got, sizeof got);
    math_library_read(info, &result, sizeof result);
    CU_ASSERT_EQUAL(result, 0);
    for (int i = 0; i < 9; i++)
        CU_ASSERT(i == 3 || i == 6 || i == 7 ? isnan(got[i]) : fabs(got[i] - expected[i]) < 1e-12);
    CU_ASSERT_EQUAL(math_library_findings("cusolver"), before);
    CU_ASSERT_EQUAL(potrf(handle, LOWER, 3, a, 2, work, length, info), INVALID_VALUE);
    math_library_read(info, &result, sizeof result);
    CU_ASSERT_EQUAL(result, -4);
    math_library_free(a);
    math_library_free(work);
    math_library_free(info);
}

static void finds_working_memory_that_is_too_short(void)
{
    potrf_fn *potrf = (potrf_fn *)math_library_function("cusolverDnDpotrf");
    double *a = math_library_memory(definite, sizeof definite), *work = math_library_memory(NULL, sizeof *work);
    int *info = math_library_memory(NULL, sizeof *info);
    CU_ASSERT_EQUAL(potrf(handle, LOWER, 3, a, 3, work, 1000, info), EXECUTION_FAILED);
    CU_ASSERT_EQUAL(math_library_findings("cusolverDnDpotrf would write 8000 bytes"), 1);
    math_library_free(a);
    math_library_free(work);
    math_library_free(info);
}

static void finds_a_matrix_that_was_never_written(void)
{
    getrf_fn *getrf = (getrf_fn *)math_library_function("cusolverDnDgetrf");
    double *a = math_library_memory(NULL, sizeof definite), *work = math_library_memory(NULL, 4096);
    int *info = math_library_memory(NULL, sizeof *info), *pivots = math_library_memory(NULL, 3 * sizeof *pivots);
    CU_ASSERT_EQUAL(getrf(handle, 3, 3, a, 3, work, pivots, info), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cusolverDnDgetrf reads what was never written"), 1);
    CU_ASSERT_EQUAL(getrf(NULL, 3, 3, a, 3, work, pivots, info), NOT_INITIALIZED);
    math_library_free(a);
    math_library_free(work);
    math_library_free(info);
    math_library_free(pivots);
}

static const struct support_test tests[] = {
    SUPPORT_TEST_OF(outside, exports_what_nvidias_library_does),
    SUPPORT_TEST(refuses_by_name_what_it_does_not_offer),
    SUPPORT_TEST(factors_one_triangle),
    SUPPORT_TEST(finds_working_memory_that_is_too_short),
    SUPPORT_TEST(finds_a_matrix_that_was_never_written),
};

int cusolver_suite_register(void)
{
    return support_register_with("cusolver", set_up, math_library_close, tests, SUPPORT_COUNT(tests));
}
