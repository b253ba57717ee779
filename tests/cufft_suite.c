/* cuFFT on the emulated device: what it exports, what it refuses, and what it looks at of its operands. What it computes and
 * answers is beside what a GPU does in transforms_test.py. */
#include <math.h>
#include <stdint.h>

#include "tests/math_library.h"
#include "tests/support.h"

enum { SUCCESS, INVALID_PLAN, INVALID_VALUE = 4, EXEC_FAILED = 6, INVALID_SIZE = 8, NO_WORKSPACE = 13, NOT_SUPPORTED = 16 };
enum { C2C = 0x29, R2C = 0x2a, C2R = 0x2c, FORWARD = -1, INVERSE = 1 };

typedef int create_fn(int *plan);
typedef int plan_fn(int plan);
typedef int plan_1d_fn(int *plan, int nx, int type, int batch);
typedef int plan_2d_fn(int *plan, int nx, int ny, int type);
typedef int plan_many_fn(int *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                         int odist, int type, int batch);
typedef int make_1d_fn(int plan, int nx, int type, int batch, size_t *size);
typedef int set_fn(int plan, int value);
typedef int area_fn(int plan, void *area);
typedef int exec_complex_fn(int plan, void *in, void *out, int direction);
typedef int exec_real_fn(int plan, void *in, void *out);

#define FUNCTION(type, name) ((type##_fn *)math_library_function("cufft" name))

static const float numbers[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static int set_up(void)
{
    return math_library_open("libcufft.so.12");
}

static void exports_what_nvidias_library_does(void)
{
    math_library_compare("libcufft.so.12", "cufft");
}

static void refuses_by_name_what_it_does_not_offer(void)
{
    static const char *const refused[] = {
#define OWN(name)
#define REFUSED(name) #name,
#include "runtime/emulator/math_libraries/cufft/cufft.def"
#undef REFUSED
    };
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        plan_fn *function = (plan_fn *)math_library_function(refused[i]);
        if (function)
            CU_ASSERT_EQUAL(function(1), NOT_SUPPORTED);
    }
}

static void knows_a_plan_that_is_none(void)
{
    int plan, other;
    CU_ASSERT_EQUAL(FUNCTION(create, "Create")(&plan), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(exec_complex, "ExecC2C")(plan, NULL, NULL, FORWARD), INVALID_PLAN);
    CU_ASSERT_EQUAL(FUNCTION(plan, "Destroy")(plan), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(plan, "Destroy")(plan), INVALID_PLAN);
    CU_ASSERT_EQUAL(FUNCTION(create, "Create")(&other), SUCCESS);
    CU_ASSERT_NOT_EQUAL(other, plan);
    CU_ASSERT_EQUAL(FUNCTION(plan, "Destroy")(other), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(plan_1d, "Plan1d")(&plan, 0, C2C, 1), INVALID_SIZE);
    CU_ASSERT_EQUAL(FUNCTION(plan_2d, "Plan2d")(&plan, 4, -4, C2C), INVALID_SIZE);
}

/* There and back again, without any scale: n times the input. */
static void transforms_there_and_back(void)
{
    int plan;
    float got[16];
    float *a = math_library_memory(numbers, sizeof numbers), *b = math_library_memory(NULL, sizeof numbers);
    size_t before = math_library_findings("cufft");
    CU_ASSERT_EQUAL(FUNCTION(plan_1d, "Plan1d")(&plan, 4, C2C, 2), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(exec_complex, "ExecC2C")(plan, a, b, FORWARD), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(exec_complex, "ExecC2C")(plan, b, b, INVERSE), SUCCESS);
    math_library_read(b, got, sizeof got);
    for (int i = 0; i < 16; i++)
        CU_ASSERT(fabsf(got[i] - 4 * numbers[i]) < 1e-4F);
    CU_ASSERT_EQUAL(math_library_findings("cufft"), before);
    FUNCTION(plan, "Destroy")(plan);
    math_library_free(a);
    math_library_free(b);
}

/* Elements of a layout are looked at; those between them are not, and stay as they are. */
static void looks_at_the_elements_of_a_layout_alone(void)
{
    int plan, n[1] = {4};
    float column[2] = {1, 0};
    float *a = math_library_memory(NULL, sizeof numbers), *b = math_library_memory(NULL, sizeof numbers);
    for (int i = 0; i < 4; i++)
        math_library_write(a + 4 * i, column, sizeof column);
    size_t before = math_library_findings("cufft");
    CU_ASSERT_EQUAL(FUNCTION(plan_many, "PlanMany")(&plan, 1, n, n, 2, 8, n, 2, 8, C2C, 1), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(exec_complex, "ExecC2C")(plan, a, b, FORWARD), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cufft"), before);
    /* The output's gaps were never written: a plan without gaps finds them. */
    int whole;
    CU_ASSERT_EQUAL(FUNCTION(plan_1d, "Plan1d")(&whole, 8, C2C, 1), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(exec_complex, "ExecC2C")(whole, b, b, FORWARD), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cufftExecC2C reads what was never written"), 1);
    FUNCTION(plan, "Destroy")(plan);
    FUNCTION(plan, "Destroy")(whole);
    math_library_free(a);
    math_library_free(b);
}

static void finds_an_array_that_is_too_short_or_freed(void)
{
    int plan;
    float *a = math_library_memory(numbers, sizeof numbers), *b = math_library_memory(NULL, sizeof numbers);
    CU_ASSERT_EQUAL(FUNCTION(plan_1d, "Plan1d")(&plan, 16, R2C, 1), SUCCESS);
    /* Nine complex numbers are longer than sixteen real ones. */
    CU_ASSERT_EQUAL(FUNCTION(exec_real, "ExecR2C")(plan, a, b), EXEC_FAILED);
    CU_ASSERT_EQUAL(
        math_library_findings("cufftExecR2C would write 72 bytes from byte 0 of the allocation, which has 64 bytes"), 1);
    CU_ASSERT_EQUAL(FUNCTION(exec_real, "ExecR2C")(plan, a, a), EXEC_FAILED);
    math_library_free(a);
    CU_ASSERT_EQUAL(FUNCTION(exec_real, "ExecR2C")(plan, a, b), EXEC_FAILED);
    CU_ASSERT_EQUAL(math_library_findings("cufftExecR2C was given an address in the allocation (64 bytes), which was freed"),
                    1);
    CU_ASSERT_EQUAL(FUNCTION(exec_real, "ExecC2R")(plan, b, b), INVALID_VALUE);
    FUNCTION(plan, "Destroy")(plan);
    math_library_free(b);
}

static void needs_the_working_memory_that_it_asked_for(void)
{
    int plan;
    size_t size = 0;
    float *a = math_library_memory(numbers, sizeof numbers), *work = math_library_memory(NULL, 8);
    CU_ASSERT_EQUAL(FUNCTION(create, "Create")(&plan), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(set, "SetAutoAllocation")(plan, 0), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(make_1d, "MakePlan1d")(plan, 7, C2C, 1, &size), SUCCESS);
    CU_ASSERT_EQUAL(size, 56);
    CU_ASSERT_EQUAL(FUNCTION(exec_complex, "ExecC2C")(plan, a, a, FORWARD), NO_WORKSPACE);
    CU_ASSERT_EQUAL(FUNCTION(area, "SetWorkArea")(plan, work), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(exec_complex, "ExecC2C")(plan, a, a, FORWARD), EXEC_FAILED);
    CU_ASSERT_EQUAL(
        math_library_findings("cufftExecC2C would write 56 bytes from byte 0 of the allocation, which has 8 bytes"), 1);
    FUNCTION(plan, "Destroy")(plan);
    math_library_free(a);
    math_library_free(work);
}

static const struct support_test tests[] = {
    SUPPORT_TEST_OF(outside, exports_what_nvidias_library_does),
    SUPPORT_TEST(refuses_by_name_what_it_does_not_offer),
    SUPPORT_TEST(knows_a_plan_that_is_none),
    SUPPORT_TEST(transforms_there_and_back),
    SUPPORT_TEST(looks_at_the_elements_of_a_layout_alone),
    SUPPORT_TEST(finds_an_array_that_is_too_short_or_freed),
    SUPPORT_TEST(needs_the_working_memory_that_it_asked_for),
};

int cufft_suite_register(void)
{
    return support_register_with("cufft", set_up, math_library_close, tests, SUPPORT_COUNT(tests));
}
