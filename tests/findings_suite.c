/* Findings about memory, barriers, lanes and launches: tests/fixtures/checks/{memory,threads}.cu say what must be found, and
 * with which result, which is what a GPU would give (tests/checks.h). Each check has a process of its own. */
#include <stdlib.h>

#include "runtime/lockstep.h"
#include "tests/checks.h"
#include "tests/support.h"

static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];

static int set_up(void)
{
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "memory", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    return 0;
}

static int clean_up(void)
{
    support_remove_tree(directory);
    return 0;
}

static void run_file(const char *path, size_t at_least)
{
    lockstep_error error;
    if (lockstep_compiler_find(NULL, NULL, 0, &error) == LOCKSTEP_OK)
        checks_run_file(path, findings, NULL, at_least);
    else
        support_skip("there is no NVRTC");
}

static void finds_wrong_accesses_with_array_index_thread_and_count(void)
{
    run_file("tests/fixtures/checks/memory.cu", 40);
}

static void finds_threads_that_never_meet_and_explains_refused_launches(void)
{
    run_file("tests/fixtures/checks/threads.cu", 27);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(finds_wrong_accesses_with_array_index_thread_and_count),
    SUPPORT_TEST(finds_threads_that_never_meet_and_explains_refused_launches),
};

int findings_suite_register(void)
{
    return support_register_with("findings", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
