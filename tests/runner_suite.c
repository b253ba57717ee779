/* The runner judges the suites of tests/runner/, which go wrong in every way that a suite can. */
#include "tests/support.h"

#include <string.h>

/* Runs the deliberately bad runner on one suite (or test) and checks its status and closing line. */
static void expect(const char *filter, int status, const char *closing, const char *part)
{
    char path[SUPPORT_PATH_BYTES];
    struct support_result result;
    support_build_path("tests/runner_fixture", path);
    const char *timeout = strcmp(filter, "hanging") == 0 ? "1" : "3600";
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

/* Runs the deliberately bad runner, all suites but the one that hangs, with an option. */
static void run_classes(struct support_result *result, const char *option, const char *value)
{
    char path[SUPPORT_PATH_BYTES];
    support_build_path("tests/runner_fixture", path);
    CU_ASSERT(support_run_simple(result, path, "--without", "hanging", option, value, (char *)NULL));
}

static void runs_the_classes_that_are_asked_for(void)
{
    struct support_result result;
    expect("mixed", 1, "\n1 passed, 1 failed\n", "FAIL mixed");
    expect("elsewhere", 0, "\n1 passed, 0 failed\n", "ok   elsewhere");
    run_classes(&result, "--class", "fast");
    SUPPORT_CONTAINS(result.output, "ok   mixed                      1 passed, 1 left out");
    CU_ASSERT_PTR_NULL(strstr(result.output, " elsewhere "));
    SUPPORT_CONTAINS(result.output, "\ntests of other classes, left out: 2 (--all runs all)\n");
    support_result_clear(&result);
    run_classes(&result, "--class", "host,corpus");
    SUPPORT_CONTAINS(result.output, "FAIL mixed                      0 passed, 1 failed, 1 left out");
    SUPPORT_CONTAINS(result.output, "ok   elsewhere                  1 passed");
    CU_ASSERT_PTR_NULL(strstr(result.output, " good "));
    support_result_clear(&result);
    run_classes(&result, "--all", NULL);
    SUPPORT_CONTAINS(result.output, "FAIL mixed                      1 passed, 1 failed");
    SUPPORT_CONTAINS(result.output, "ok   elsewhere                  1 passed");
    support_result_clear(&result);
}

static void refuses_an_unknown_class(void)
{
    static const char *const lists[] = {"hosts", "host,host", "host,", ""};
    for (size_t i = 0; i < SUPPORT_COUNT(lists); i++) {
        struct support_result result;
        run_classes(&result, "--class", lists[i]);
        CU_ASSERT_EQUAL(result.status, 2);
        SUPPORT_CONTAINS(result.errors, "--class names a class that there is not");
        support_result_clear(&result);
    }
}

static void names_the_tests_that_took_longest(void)
{
    expect("good", 0, "\n1 passed, 0 failed\n", " s of processor time  good/passes");
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
    SUPPORT_TEST(runs_the_classes_that_are_asked_for),
    SUPPORT_TEST(refuses_an_unknown_class),
    SUPPORT_TEST(names_the_tests_that_took_longest),
    SUPPORT_TEST(selects_one_test_of_a_suite),
    SUPPORT_TEST(counts_a_crash_and_the_tests_behind_it_as_failed),
    SUPPORT_TEST(does_not_believe_a_suite_that_exits_with_0),
    SUPPORT_TEST_OF(host, ends_a_suite_that_hangs),
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
