/* grader/compare: what is accepted, what is rejected, and what is said about it. */
#include "tests/support.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "grader/lab/compare.h"
#include "grader/lab/random.h"
#include "grader/lab/tolerance.h"

/* Longer than two chunks of the fast path, and not a multiple of one. */
#define COUNT 2500

#define EXACT (-1.0) /* instead of a bound */

static bool accepts(float got, double want, double bound)
{
    struct lab_expected expected = {.type = LAB_FLOAT32, .count = 1, .f = &want, .bound = bound == EXACT ? NULL : &bound};
    struct compare_result result;
    size_t bad = compare_output(&expected, &got, &result);
    CU_ASSERT_EQUAL(bad, result.bad_count);
    CU_ASSERT_EQUAL(compare_element(&expected, &got, 0), bad == 0);
    return bad == 0;
}

static void nan_matches_only_nan(void)
{
    CU_ASSERT_TRUE(accepts(NAN, NAN, EXACT));
    CU_ASSERT_TRUE(accepts(-NAN, NAN, 0.5));
    CU_ASSERT_FALSE(accepts(NAN, 1, EXACT));
    CU_ASSERT_FALSE(accepts(NAN, 1, 1e30));
    CU_ASSERT_FALSE(accepts(NAN, INFINITY, 1e30));
    CU_ASSERT_FALSE(accepts(1, NAN, 1e30));
    CU_ASSERT_FALSE(accepts(INFINITY, NAN, 1e30));
    CU_ASSERT_FALSE(accepts(1, 1.5, NAN));
}

static void anything_is_right_where_nothing_is_compared(void)
{
    CU_ASSERT_TRUE(accepts(1, 2, LAB_NOT_COMPARED));
    CU_ASSERT_TRUE(accepts(NAN, 0, LAB_NOT_COMPARED));
    CU_ASSERT_TRUE(accepts(-INFINITY, 0, LAB_NOT_COMPARED));
}

static void infinity_matches_only_the_same_infinity(void)
{
    CU_ASSERT_TRUE(accepts(INFINITY, INFINITY, EXACT));
    CU_ASSERT_TRUE(accepts(-INFINITY, -INFINITY, 1));
    CU_ASSERT_FALSE(accepts(INFINITY, -INFINITY, 1e30));
    CU_ASSERT_FALSE(accepts(INFINITY, 3e38, INFINITY));
    CU_ASSERT_FALSE(accepts(3e38f, INFINITY, INFINITY));
}

static void bound_is_inclusive_and_absolute(void)
{
    CU_ASSERT_TRUE(accepts(1.5f, 1.0, 0.5));
    CU_ASSERT_TRUE(accepts(0.5f, 1.0, 0.5));
    CU_ASSERT_FALSE(accepts(nextafterf(1.5f, 2), 1.0, 0.5));
    CU_ASSERT_FALSE(accepts(nextafterf(0.5f, 0), 1.0, 0.5));
    CU_ASSERT_FALSE(accepts(1.0f, nextafter(1.0, 2), 0));
}

static void zeros_of_either_sign_are_equal(void)
{
    CU_ASSERT_TRUE(accepts(-0.0f, 0.0, EXACT));
    CU_ASSERT_TRUE(accepts(0.0f, -0.0, EXACT));
    CU_ASSERT_FALSE(accepts(0x1p-149f, 0.0, EXACT));
}

/* One wrong element at every place that could fall between two chunks. */
static void finds_a_single_wrong_element_anywhere(void)
{
    static float floats[COUNT];
    static double want[COUNT];
    static int32_t integers[COUNT];
    static int64_t want_integers[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        floats[i] = (float)i;
        want[i] = (double)i;
        want_integers[i] = integers[i] = (int32_t)i;
    }
    struct lab_expected expected = {.type = LAB_FLOAT32, .count = COUNT, .f = want};
    struct lab_expected expected_integers = {.type = LAB_INT32, .count = COUNT, .i = want_integers};
    struct compare_result result;
    CU_ASSERT_EQUAL(compare_output(&expected, floats, &result), 0);
    CU_ASSERT_EQUAL(result.first_bad, COUNT);
    CU_ASSERT_EQUAL(compare_output(&expected_integers, integers, &result), 0);
    for (size_t i = 0; i < COUNT; i += i % 1024 < 2 || i % 1024 > 1020 ? 1 : 97) {
        floats[i] += 1;
        integers[i] += 1;
        CU_ASSERT_EQUAL_FATAL(compare_output(&expected, floats, &result), 1);
        CU_ASSERT(result.first_bad == i && result.last_bad == i && result.worst_index == i && result.worst_error == 1);
        CU_ASSERT_EQUAL_FATAL(compare_output(&expected_integers, integers, &result), 1);
        CU_ASSERT(result.first_bad == i && result.last_bad == i);
        floats[i] -= 1;
        integers[i] -= 1;
    }
}

static void accepts_expected_nan_inside_a_long_array(void)
{
    static float got[COUNT];
    static double want[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        got[i] = i % 3 == 0 ? NAN : 1.0f;
        want[i] = (double)got[i];
    }
    struct lab_expected expected = {.type = LAB_FLOAT32, .count = COUNT, .f = want};
    struct compare_result result;
    CU_ASSERT_EQUAL(compare_output(&expected, got, &result), 0);
    got[1500] = 2.0f;
    CU_ASSERT_EQUAL(compare_output(&expected, got, &result), 1);
    CU_ASSERT_EQUAL(result.not_finite_count, 1);
}

static void reports_the_worst_error_in_units_of_the_bound(void)
{
    const float got[] = {1.1f, 10.0f, 5.0f, 7.25f};
    double want[] = {1, 10, 4.5, 7}, bound[] = {1, 1, 1, 0.125};
    struct lab_expected expected = {.type = LAB_FLOAT32, .count = 4, .f = want, .bound = bound};
    struct compare_result result;
    CU_ASSERT_EQUAL(compare_output(&expected, got, &result), 1);
    CU_ASSERT_EQUAL(result.first_bad, 3);
    CU_ASSERT_EQUAL(result.worst_error, 0.5);
    CU_ASSERT_EQUAL(result.worst_in_bounds, 2);
    CU_ASSERT_EQUAL(result.worst_index, 3);
    CU_ASSERT_EQUAL(result.not_finite_count, 0);
}

static void integer_difference_does_not_overflow(void)
{
    const int32_t got[] = {INT_MIN, 0};
    int64_t want[] = {INT_MAX, 0};
    struct lab_expected expected = {.type = LAB_INT32, .count = 2, .i = want};
    struct compare_result result;
    CU_ASSERT_EQUAL(compare_output(&expected, got, &result), 1);
    CU_ASSERT_EQUAL(result.worst_error, 4294967295.0);
    CU_ASSERT(isinf(result.worst_in_bounds));
}

static void finds_poison_that_nobody_overwrote(void)
{
    uint32_t words[100];
    int64_t want[100] = {0};
    struct compare_unwritten unwritten;
    random_poison_fill(77, 500, words, 100);
    for (int i = 0; i < 40; i++) {
        words[i] = 1;
    }
    compare_find_unwritten(words, LAB_UINT32, 100, 77, 500, NULL, &unwritten);
    CU_ASSERT(unwritten.count == 60 && unwritten.first == 40 && unwritten.last == 99);
    compare_find_unwritten(words, LAB_UINT32, 100, 78, 500, NULL, &unwritten);
    CU_ASSERT(unwritten.count == 0);
    /* The right value may be the poison word by accident. */
    want[40] = (int32_t)words[40];
    struct lab_expected expected = {.type = LAB_INT32, .count = 100, .i = want};
    compare_find_unwritten(words, LAB_UINT32, 100, 77, 500, &expected, &unwritten);
    CU_ASSERT(unwritten.count == 59 && unwritten.first == 41);
}

/* ---- tolerance ------------------------------------------------------------------------------------------------------ */

static void sum_bound_never_exceeds_the_worst_case(void)
{
    for (int64_t n = 1; n < 100000000; n = n * 3 / 2 + 1) {
        CU_ASSERT(tolerance_sum(n, 1, 1.0) <= tolerance_worst_case((double)n) + (double)n * 0x1p-149);
        CU_ASSERT(tolerance_sum(n, 1, 1.0) > 0);
    }
    CU_ASSERT_DOUBLE_EQUAL(tolerance_sum(1, 1, 1.0), TOLERANCE_UNIT, 1e-14);
    /* From 36 roundings on the probabilistic bound is the smaller one: 6 sqrt(10000) u. */
    CU_ASSERT_DOUBLE_EQUAL(tolerance_relative(10000), 600 * TOLERANCE_UNIT, 1e-12);
    CU_ASSERT(isinf(tolerance_worst_case(0x1p24)));
}

/* A float sum in order, in reverse and by halves stays within the bound; one that drops a term does not. */
static void sum_bound_accepts_every_order_and_rejects_a_lost_term(void)
{
    static float terms[COUNT];
    struct lab_random random;
    double exact = 0, absolute = 0;
    float up = 0, down = 0, halves[4] = {0}, lost = 0;
    random_init(&random, 1, "tolerance", "sum", 0);
    lab_random_fill_float(&random, terms, COUNT, -1, 1);
    terms[COUNT / 2] = 0.75f;
    for (size_t i = 0; i < COUNT; i++) {
        exact += (double)terms[i];
        absolute += fabs((double)terms[i]);
        up += terms[i];
        down += terms[COUNT - 1 - i];
        halves[i % 4] += terms[i];
        lost += i == COUNT / 2 ? 0 : terms[i];
    }
    double bound = tolerance_sum(COUNT, 0, absolute);
    CU_ASSERT_TRUE(accepts(up, exact, bound));
    CU_ASSERT_TRUE(accepts(down, exact, bound));
    CU_ASSERT_TRUE(accepts((halves[0] + halves[1]) + (halves[2] + halves[3]), exact, bound));
    CU_ASSERT_FALSE(accepts(lost, exact, bound));
}

static void ulp_is_the_gap_above_a_float(void)
{
    CU_ASSERT_EQUAL(tolerance_ulp(1.0), 0x1p-23);
    CU_ASSERT_EQUAL(tolerance_ulp(-3.0), 0x1p-22);
    CU_ASSERT_EQUAL(tolerance_ulp(0.0), 0x1p-149);
    CU_ASSERT(isinf(tolerance_ulp(INFINITY)));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(nan_matches_only_nan),
    SUPPORT_TEST(anything_is_right_where_nothing_is_compared),
    SUPPORT_TEST(infinity_matches_only_the_same_infinity),
    SUPPORT_TEST(bound_is_inclusive_and_absolute),
    SUPPORT_TEST(zeros_of_either_sign_are_equal),
    SUPPORT_TEST(finds_a_single_wrong_element_anywhere),
    SUPPORT_TEST(accepts_expected_nan_inside_a_long_array),
    SUPPORT_TEST(reports_the_worst_error_in_units_of_the_bound),
    SUPPORT_TEST(integer_difference_does_not_overflow),
    SUPPORT_TEST(finds_poison_that_nobody_overwrote),
    SUPPORT_TEST(sum_bound_never_exceeds_the_worst_case),
    SUPPORT_TEST(sum_bound_accepts_every_order_and_rejects_a_lost_term),
    SUPPORT_TEST(ulp_is_the_gap_above_a_float),
};

int compare_suite_register(void)
{
    return support_register("compare", tests, SUPPORT_COUNT(tests));
}
