/* The runner judges the suites of tests/runner/, which go wrong in every way that a suite can. */
#include "tests/support.h"

#include <string.h>

/* Runs the deliberately bad runner on one suite (or test) and checks its status and closing line. */
static void expect(const char *filter, int status, const char *closing, const char *part)
{
    char path[SUPPORT_PATH_BYTES];
    struct support_result result;
    support_build_path("tests/runner_fixture", path);
    const char *timeout = strcmp(filter, "hanging") == 0 ? "1" : "60";
    CU_ASSERT(support_run_simple(&result, path, "--timeout", timeout, filter, (char *)NULL));
    CU_ASSERT_EQUAL(result.status, status);
    SUPPORT_CONTAINS(result.output, part);
    size_t length = strlen(closing);
    bool closes = result.output_bytes >= length && strcmp(result.output + result.output_bytes - length, closing) == 0;
    CU_ASSERT(closes);
    if (!closes)
        support_contains(result.output, closing);
    support_result_clear(&result);
}

static void accepts_a_good_suite(void)
{
    expect("good", 0, "\n1 passed, 0 failed\n", "ok   good");
}

static void counts_tests_and_names_the_line_of_a_failure(void)
{
    expect("failing", 1, "\n1 passed, 1 failed\n", "    fails: tests/runner/suites.c:15: ");
}

static void counts_a_skipped_test_as_such_and_says_why(void)
{
    expect("skipping", 0, "\n1 passed, 0 failed, 1 skipped\n", "skipped  skipping/skips: there is no reason");
}

static void runs_a_slow_test_only_when_it_is_asked_for(void)
{
    char path[SUPPORT_PATH_BYTES];
    struct support_result quick, all;
    support_build_path("tests/runner_fixture", path);
    expect("slow", 1, "\n1 passed, 1 failed\n", "FAIL slow");
    CU_ASSERT(support_run_simple(&quick, path, "--timeout", "1", (char *)NULL));
    SUPPORT_CONTAINS(quick.output, "ok   slow                       1 passed, 1 slow left out");
    SUPPORT_CONTAINS(quick.output, "\nslow tests left to ninja test-all: 1\n");
    support_result_clear(&quick);
    CU_ASSERT(support_run_simple(&all, path, "--timeout", "1", "--all", (char *)NULL));
    SUPPORT_CONTAINS(all.output, "FAIL slow                       1 passed, 1 failed");
    support_result_clear(&all);
}

static void selects_one_test_of_a_suite(void)
{
    expect("failing/passes", 0, "\n1 passed, 0 failed\n", "ok   failing");
}

static void counts_a_crash_and_the_tests_behind_it_as_failed(void)
{
    expect("crashing", 1, "\n1 passed, 2 failed\n", "    crashes: ended by signal 9");
}

static void does_not_believe_a_suite_that_exits_with_0(void)
{
    expect("leaving", 1, "\n0 passed, 1 failed\n", "    leaves: ended with status 0 before all tests had run");
}

static void ends_a_suite_that_hangs(void)
{
    expect("hanging", 1, "\n0 passed, 1 failed\n", "    hangs: took longer than it may");
}

static void fails_a_suite_that_cannot_be_set_up(void)
{
    expect("unprepared", 1, "\n0 passed, 1 failed\n", "the suite could not be set up");
}

static void fails_a_suite_that_cannot_be_cleaned_up(void)
{
    expect("unclean", 1, "\n1 passed, 1 failed\n", "the suite could not be cleaned up");
}

static void fails_a_suite_without_tests(void)
{
    expect("empty", 1, "\n0 passed, 1 failed\n", "no test ran");
}

static void fails_when_the_filter_leaves_no_test(void)
{
    expect("good/nothing_of_that_name", 1, "\n0 passed, 1 failed\n", "no test ran");
}

static void fails_a_script_that_does_not_load(void)
{
    expect("no_such_script", 1, "\n0 passed, 1 failed\n", "before all tests had run");
}

static void fails_a_leak_where_leaks_are_looked_for(void)
{
    if (support_is_sanitized())
        expect("leaking", 1, "\n1 passed, 1 failed\n", "LeakSanitizer");
    else
        expect("leaking", 0, "\n1 passed, 0 failed\n", "ok   leaking");
}

static void refuses_an_unknown_suite(void)
{
    char path[SUPPORT_PATH_BYTES];
    struct support_result result;
    support_build_path("tests/runner_fixture", path);
    CU_ASSERT(support_run_simple(&result, path, "goo", (char *)NULL));
    CU_ASSERT_EQUAL(result.status, 2);
    SUPPORT_CONTAINS(result.errors, "no suite goo");
    support_result_clear(&result);
}

/* A test of one suite says nothing about a whole script beside it. */
static void keeps_a_filter_to_its_suite(void)
{
    char path[SUPPORT_PATH_BYTES];
    struct support_result result;
    support_build_path("tests/run", path);
    CU_ASSERT(support_run_simple(&result, path, "arrows", "random/seed_repeats_exactly_on_every_machine", (char *)NULL));
    CU_ASSERT_EQUAL(result.status, 0);
    SUPPORT_CONTAINS(result.output, "ok   arrows");
    SUPPORT_CONTAINS(result.output, "ok   random                     1 passed");
    support_result_clear(&result);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(accepts_a_good_suite),
    SUPPORT_TEST(counts_tests_and_names_the_line_of_a_failure),
    SUPPORT_TEST(counts_a_skipped_test_as_such_and_says_why),
    SUPPORT_TEST(runs_a_slow_test_only_when_it_is_asked_for),
    SUPPORT_TEST(selects_one_test_of_a_suite),
    SUPPORT_TEST(counts_a_crash_and_the_tests_behind_it_as_failed),
    SUPPORT_TEST(does_not_believe_a_suite_that_exits_with_0),
    SUPPORT_TEST(ends_a_suite_that_hangs),
    SUPPORT_TEST(fails_a_suite_that_cannot_be_set_up),
    SUPPORT_TEST(fails_a_suite_that_cannot_be_cleaned_up),
    SUPPORT_TEST(fails_a_suite_without_tests),
    SUPPORT_TEST(fails_when_the_filter_leaves_no_test),
    SUPPORT_TEST(fails_a_script_that_does_not_load),
    SUPPORT_TEST(keeps_a_filter_to_its_suite),
    SUPPORT_TEST(fails_a_leak_where_leaks_are_looked_for),
    SUPPORT_TEST(refuses_an_unknown_suite),
};

int runner_suite_register(void)
{
    return support_register("runner", tests, SUPPORT_COUNT(tests));
}
