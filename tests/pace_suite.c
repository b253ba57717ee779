/* The clock of a run on the emulated device: what it grants, and to whom it puts down what it ends. */
#include "tests/support.h"

#include "grader/run/pace.h"

static void a_slower_machine_gets_more_time(void)
{
    CU_ASSERT_EQUAL(pace_stretch(120000, 1), 120000);
    CU_ASSERT_EQUAL(pace_stretch(120000, 0.25), 480000);
    CU_ASSERT_EQUAL(pace_stretch(3000, 0.5), 6000);
}

static void a_fast_machine_gets_no_less(void)
{
    CU_ASSERT_EQUAL(pace_stretch(120000, 3), 120000);
}

static void what_no_machine_measures_is_bounded(void)
{
    CU_ASSERT_EQUAL(pace_stretch(1000, 0), 32000);
    CU_ASSERT_EQUAL(pace_stretch(1000, 1e-9), 32000);
}

static void a_machine_has_a_pace(void)
{
    double pace = pace_measure();
    CU_ASSERT(pace > 0 && pace <= 1);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(a_slower_machine_gets_more_time),
    SUPPORT_TEST(a_fast_machine_gets_no_less),
    SUPPORT_TEST(what_no_machine_measures_is_bounded),
    SUPPORT_TEST(a_machine_has_a_pace),
};

int pace_suite_register(void)
{
    return support_register("pace", tests, SUPPORT_COUNT(tests));
}
