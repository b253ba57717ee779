/* Cases that are made smaller: for a device with little memory, and for a kernel that takes too long. */
#include "tests/support.h"

#include "grader/lab/fit.h"
#include "grader/lab/labs.h"

/* The sizes of a case of one dimension, halved once. */
static int64_t halved(int64_t size)
{
    struct lab_case the_case = {.size = {size}};
    fit_halve(&the_case, 1);
    return the_case.size[0];
}

static void halves_keep_what_the_last_block_and_the_last_warp_leave_over(void)
{
    struct lab_case the_case = {.size = {16777227}}; /* 2^24 + 11 */
    for (int halvings = 0; halvings < 13; halvings++) {
        CU_ASSERT_EQUAL(the_case.size[0] % 1024, 11);
        fit_halve(&the_case, 1);
    }
    CU_ASSERT_EQUAL(the_case.size[0], 1024 + 11 + 1024);
    CU_ASSERT_EQUAL(halved(2048), 1024);
    CU_ASSERT_EQUAL(halved(2047), 31 * 32 + 31);
    CU_ASSERT_EQUAL(halved(65), 33);
    CU_ASSERT_EQUAL(halved(64), 32);
    CU_ASSERT_EQUAL(halved(63), 31);
    CU_ASSERT_EQUAL(halved(2), 1);
    CU_ASSERT_EQUAL(halved(1), 1);
}

static void each_half_is_smaller_and_not_much_less_than_a_half(void)
{
    for (int64_t size = 2; size < 20000; size++) {
        int64_t half = halved(size);
        CU_ASSERT_FATAL(half < size && half >= size / 3);
    }
}

static void the_largest_dimension_is_halved(void)
{
    struct lab_case the_case = {.size = {100, 70, 4000}};
    fit_halve(&the_case, 6);
    CU_ASSERT(the_case.size[0] < 100 && the_case.size[1] == 70 && the_case.size[2] < 200);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(halves_keep_what_the_last_block_and_the_last_warp_leave_over),
    SUPPORT_TEST(each_half_is_smaller_and_not_much_less_than_a_half),
    SUPPORT_TEST(the_largest_dimension_is_halved),
};

int fit_suite_register(void)
{
    return support_register("fit", tests, SUPPORT_COUNT(tests));
}
