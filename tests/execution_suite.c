/* The executors: every fixture (tests/fixture.h) gives what it says, and what a GPU gave (tests/golden.h), at each level of
 * vector instructions, with the hooks of counters and checks and without them, and in every order of warps and blocks. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

enum { MAX_FILES = 200 };

static char program[SUPPORT_PATH_BYTES];
static char *files[MAX_FILES];
static size_t file_count;

/* What the orders of warps, blocks and lanes run: all that lets threads meet or part, not every instruction. Shuffles and
 * votes without a mask (warp_old.ptx) mean the lanes that happen to be together. */
static const char *const stepped_files[] = {
    "tests/fixtures/ptx/async.ptx",    "tests/fixtures/ptx/barriers.ptx",  "tests/fixtures/ptx/bulk.ptx",
    "tests/fixtures/ptx/exchange.ptx", "tests/fixtures/ptx/memory.ptx",    "tests/generated/calls.ptx",
    "tests/generated/carry.ptx",       "tests/generated/matrix_float.ptx", "tests/generated/shuffles.ptx",
    "tests/generated/votes.ptx",
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the .ptx files of a folder. */
static bool add_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    size_t before = file_count;
    const struct dirent *entry;
    while ((entry = readdir(directory)) && file_count < MAX_FILES) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[SUPPORT_PATH_BYTES];
        if (dot && strcmp(dot, ".ptx") == 0)
            files[file_count++] = strdup(support_join(path, folder, entry->d_name));
    }
    closedir(directory);
    qsort(files + before, file_count - before, sizeof *files, by_name);
    return file_count > before;
}

static int set_up(void)
{
    char generated[SUPPORT_PATH_BYTES];
    support_build_path("tests/fixtures", program);
    return add_folder("tests/fixtures/ptx") && add_folder(support_build_path("tests/generated", generated)) ? 0 : -1;
}

static int clean_up(void)
{
    while (file_count > 0)
        free(files[--file_count]);
    return 0;
}

static bool processor_has(const char *level)
{
    if (strcmp(level, "avx2") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (strcmp(level, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
               && __builtin_cpu_supports("avx512dq");
    return true;
}

/* Runs fixtures in a process of its own with these settings ("NAME=value"). */
static void run_some(const char *const *some, size_t count, const char *level, const char *first, const char *second)
{
    char isa[64];
    snprintf(isa, sizeof isa, "LOCKSTEP_ISA=%s", level);
    const char *environment[] = {isa, first, second, NULL};
    const char *arguments[MAX_FILES + 4] = {program, "--golden", "tests/fixtures/golden"};
    memcpy(arguments + 3, some, count * sizeof *some);
    struct support_result result;
    if (!processor_has(level)) {
        support_skip("this processor has no %s", level);
        return;
    }
    if (support_is_sanitized() && strcmp(level, "avx512") == 0) {
        support_skip("the sanitized build has seen all code at the first two levels");
        return;
    }
    struct support_command command = {.arguments = arguments, .environment = environment};
    if (!support_run(&command, &result))
        return;
    if (result.status != 0)
        fprintf(stderr, "%s\n%s", result.errors, result.output);
    CU_ASSERT_EQUAL(result.status, 0);
    support_result_clear(&result);
}

static void run_all(const char *level, const char *first, const char *second)
{
    run_some((const char *const *)files, file_count, level, first, second);
}

static void run_stepped(const char *schedule, const char *checks)
{
    static char paths[SUPPORT_COUNT(stepped_files)][SUPPORT_PATH_BYTES];
    const char *some[SUPPORT_COUNT(stepped_files)];
    for (size_t i = 0; i < SUPPORT_COUNT(stepped_files); i++)
        some[i] = strncmp(stepped_files[i], "tests/generated", strlen("tests/generated")) == 0
                      ? support_build_path(stepped_files[i], paths[i])
                      : stepped_files[i];
    run_some(some, SUPPORT_COUNT(some), "baseline", schedule, checks);
}

static void agrees_with_fixtures_at_baseline(void)
{
    run_all("baseline", "LOCKSTEP_COUNTERS", NULL);
}

static void agrees_with_fixtures_at_avx2(void)
{
    run_all("avx2", "LOCKSTEP_COUNTERS", NULL);
}

static void agrees_with_fixtures_at_avx512(void)
{
    run_all("avx512", "LOCKSTEP_COUNTERS", NULL);
}

static void agrees_with_fixtures_observed_at_baseline(void)
{
    run_all("baseline", "LOCKSTEP_COUNTERS=/dev/null", "LOCKSTEP_CHECKS=all");
}

static void agrees_with_fixtures_observed_at_avx2(void)
{
    run_all("avx2", "LOCKSTEP_COUNTERS=/dev/null", NULL);
}

static void agrees_with_fixtures_observed_at_avx512(void)
{
    run_all("avx512", "LOCKSTEP_COUNTERS=/dev/null", NULL);
}

static void agrees_with_fixtures_in_descending_order(void)
{
    run_stepped("LOCKSTEP_SCHEDULE=descending", NULL);
}

static void agrees_with_fixtures_with_blocks_reversed(void)
{
    run_stepped("LOCKSTEP_SCHEDULE=blocks-reverse", "LOCKSTEP_CHECKS=none");
}

static void agrees_with_fixtures_lane_by_lane(void)
{
    run_stepped("LOCKSTEP_SCHEDULE=lanes-ascending", "LOCKSTEP_CHECKS=none");
    run_stepped("LOCKSTEP_SCHEDULE=lanes-descending", "LOCKSTEP_CHECKS=all");
    run_stepped("LOCKSTEP_SCHEDULE=never-reconverge", "LOCKSTEP_CHECKS=all");
}

static void agrees_with_fixtures_when_accesses_are_reordered(void)
{
    run_stepped("LOCKSTEP_SCHEDULE=interleaved", "LOCKSTEP_CHECKS=all");
    run_stepped("LOCKSTEP_SCHEDULE=stores-held", "LOCKSTEP_CHECKS=all");
    run_stepped("LOCKSTEP_SCHEDULE=stores-held", "LOCKSTEP_CHECKS=none");
    run_stepped("LOCKSTEP_SCHEDULE=atomics-reverse", "LOCKSTEP_CHECKS=all");
}

static const struct support_test tests[] = {
    SUPPORT_TEST(agrees_with_fixtures_at_baseline),
    SUPPORT_TEST(agrees_with_fixtures_at_avx2),
    SUPPORT_TEST(agrees_with_fixtures_at_avx512),
    SUPPORT_TEST_OF(corpus, agrees_with_fixtures_observed_at_baseline),
    SUPPORT_TEST_OF(corpus, agrees_with_fixtures_observed_at_avx2),
    SUPPORT_TEST_OF(corpus, agrees_with_fixtures_observed_at_avx512),
    SUPPORT_TEST(agrees_with_fixtures_in_descending_order),
    SUPPORT_TEST(agrees_with_fixtures_with_blocks_reversed),
    SUPPORT_TEST(agrees_with_fixtures_lane_by_lane),
    SUPPORT_TEST(agrees_with_fixtures_when_accesses_are_reordered),
};

int execution_suite_register(void)
{
    return support_register_with("execution", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
