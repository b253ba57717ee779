/* Cases that are made smaller: for a device with little memory, and for a kernel that takes too long. */
#include "tests/support.h"

#include "grader/lab/fit.h"
#include "grader/lab/labs.h"

/* A case is made for what is left over when its size is divided by the threads of a block, or of a warp. */
static void a_half_keeps_its_remainder(void)
{
    static const int64_t sizes[][3] = {
        {16777227, 4, 1048331}, {100003, 1, 49827}, {1000, 1, 488}, {4096, 2, 1024}, {31, 1, 15}, {2, 1, 1}, {1, 3, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct lab_case the_case = {.size = {sizes[i][0]}};
        fit_halve(&the_case, (int)sizes[i][1]);
        CU_ASSERT_EQUAL(the_case.size[0], sizes[i][2]);
    }
    for (int64_t size = 4096; size < 4096 + 600; size++) {
        struct lab_case the_case = {.size = {size}};
        fit_halve(&the_case, 1);
        CU_ASSERT_EQUAL(the_case.size[0] % 256, size % 256);
        CU_ASSERT(the_case.size[0] <= size / 2 && the_case.size[0] > size / 2 - 256);
    }
}

static void the_largest_dimension_is_halved(void)
{
    struct lab_case the_case = {.size = {100, 70, 4000}};
    fit_halve(&the_case, 7);
    CU_ASSERT(the_case.size[0] < 100 && the_case.size[1] == 70 && the_case.size[2] < 200);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(a_half_keeps_its_remainder),
    SUPPORT_TEST(the_largest_dimension_is_halved),
};

int fit_suite_register(void)
{
    return support_register("fit", tests, SUPPORT_COUNT(tests));
}
