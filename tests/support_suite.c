#include "tests/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void captures_both_streams_and_the_status(void)
{
    struct support_result result;
    CU_ASSERT(support_run_simple(&result, "sh", "-c", "echo out; echo err >&2; exit 7", (char *)NULL));
    CU_ASSERT_EQUAL(result.status, 7);
    CU_ASSERT_STRING_EQUAL(result.output, "out\n");
    CU_ASSERT_STRING_EQUAL(result.errors, "err\n");
    support_result_clear(&result);
}

static void captures_more_than_a_pipe_holds(void)
{
    struct support_result result;
    const char *script = "head -c 1000000 /dev/zero; head -c 300000 /dev/zero >&2";
    CU_ASSERT(support_run_simple(&result, "sh", "-c", script, (char *)NULL));
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL(result.output_bytes, 1000000);
    CU_ASSERT_EQUAL(result.errors_bytes, 300000);
    support_result_clear(&result);
}

static void kills_the_whole_group_at_the_timeout(void)
{
    struct support_result result;
    const char *const arguments[] = {"sh", "-c", "sleep infinity & sleep infinity; echo late", NULL};
    CU_ASSERT(support_run(&(struct support_command){.arguments = arguments, .timeout_ms = 200}, &result));
    CU_ASSERT(result.timed_out);
    CU_ASSERT_EQUAL(result.status, 124);
    CU_ASSERT_STRING_EQUAL(result.output, "");
    support_result_clear(&result);
}

static void kills_a_command_that_closed_its_output(void)
{
    struct support_result result;
    const char *const arguments[] = {"sh", "-c", "exec >&- 2>&-; sleep infinity", NULL};
    CU_ASSERT(support_run(&(struct support_command){.arguments = arguments, .timeout_ms = 200}, &result));
    CU_ASSERT(result.timed_out);
    support_result_clear(&result);
}

static void reports_the_signal_that_ended_a_command(void)
{
    struct support_result result;
    CU_ASSERT(support_run_simple(&result, "sh", "-c", "kill -SEGV $$", (char *)NULL));
    CU_ASSERT_EQUAL(result.status, 128 + 11);
    support_result_clear(&result);
}

static void passes_input_environment_and_directory(void)
{
    struct support_result result;
    setenv("SUPPORT_SUITE_GONE", "still here", 1);
    const char *const arguments[] = {"sh", "-c", "cat; echo $SUPPORT_SUITE_NEW,$SUPPORT_SUITE_GONE; pwd", NULL};
    const char *const environment[] = {"SUPPORT_SUITE_NEW=a=b", "SUPPORT_SUITE_GONE", NULL};
    CU_ASSERT(support_run(&(struct support_command){arguments, environment, "/", "fed ", 0}, &result));
    CU_ASSERT_STRING_EQUAL(result.output, "fed a=b,\n/\n");
    support_result_clear(&result);
}

static void writes_reads_and_removes_files(void)
{
    char directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    CU_ASSERT_FATAL(support_temporary_directory(directory));
    CU_ASSERT(support_write_file(support_join(path, directory, "file"), "a\0b", 3));
    size_t bytes = 0;
    char *content = support_read_file(path, &bytes);
    CU_ASSERT_EQUAL(bytes, 3);
    CU_ASSERT(content && memcmp(content, "a\0b", 4) == 0);
    free(content);
    support_remove_tree(directory);
    CU_ASSERT_NOT_EQUAL(access(directory, F_OK), 0);
    CU_ASSERT_PTR_NULL(support_read_file(path, NULL));
}

static void finds_the_build_that_it_belongs_to(void)
{
    char path[SUPPORT_PATH_BYTES];
    CU_ASSERT_EQUAL(access(support_build_path("tests/run", path), X_OK), 0);
}

static void counts_parts_without_overlap(void)
{
    CU_ASSERT_EQUAL(support_count_of("aaaa", "aa"), 2);
    CU_ASSERT_EQUAL(support_count_of("", "a"), 0);
    CU_ASSERT(support_contains("needle in hay", "in"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(captures_both_streams_and_the_status),
    SUPPORT_TEST(captures_more_than_a_pipe_holds),
    SUPPORT_TEST_OF(host, kills_the_whole_group_at_the_timeout),
    SUPPORT_TEST_OF(host, kills_a_command_that_closed_its_output),
    SUPPORT_TEST(reports_the_signal_that_ended_a_command),
    SUPPORT_TEST(passes_input_environment_and_directory),
    SUPPORT_TEST(writes_reads_and_removes_files),
    SUPPORT_TEST(finds_the_build_that_it_belongs_to),
    SUPPORT_TEST(counts_parts_without_overlap),
};

int support_suite_register(void)
{
    return support_register("support", tests, SUPPORT_COUNT(tests));
}
