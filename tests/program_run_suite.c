/* Runs of whole programs: each has its time, and all of them together have theirs. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/lab/labs.h"
#include "grader/program/program_run.h"

/* Builds a program in C from one line, without the device. */
static void make(const char *source, struct build *build)
{
    char folder[SUPPORT_PATH_BYTES];
    memset(build, 0, sizeof *build);
    CU_ASSERT_FATAL(support_temporary_directory(folder));
    snprintf(build->folder, sizeof build->folder, "%s", folder);
    snprintf(build->program, sizeof build->program, "%s/program", build->folder);
    char *command = allocate_format("echo '%s' | cc -x c -o %s -", source, build->program);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    free(command);
}

/* Runs it when so much is left to all runs; says how it ended. Returns what is left after it. */
static int64_t run(const char *source, int64_t left_ms, struct execution *execution, char *end, size_t end_bytes)
{
    struct build build;
    struct exchange exchange;
    const struct lab *lab = labs_find("host_program");
    const struct program_job job = {.lab = lab, .build = &build, .seed = 7, .left_ms = &left_ms};
    make(source, &build);
    exchange_create(lab, &lab->cases[0], 7, &exchange);
    program_run(&job, &exchange, NULL, execution);
    program_run_describe_end(execution, end, end_bytes);
    exchange_clear(&exchange);
    support_remove_tree(build.folder);
    return left_ms;
}

static void a_program_that_sleeps_is_stopped_when_all_runs_have_had_their_time(void)
{
    struct execution execution;
    char end[160];
    CU_ASSERT(run("#include <unistd.h>\nint main(void) { for (;;) pause(); }", 1, &execution, end, sizeof end) <= 0);
    CU_ASSERT(execution.started && program_run_timed_out(&execution));
    CU_ASSERT_PTR_NOT_NULL(strstr(end, "all its runs together"));
    execution_clear(&execution);
}

static void a_program_that_ends_leaves_time_to_the_next(void)
{
    struct execution execution;
    char end[160];
    int64_t left = run("int main(void) { return 3; }", PROGRAM_RUNS_MS, &execution, end, sizeof end);
    CU_ASSERT(left > 0 && left <= PROGRAM_RUNS_MS);
    CU_ASSERT(execution.started && !program_run_timed_out(&execution));
    CU_ASSERT_STRING_EQUAL(end, "ends with status 3");
    execution_clear(&execution);
}

static void memory_that_a_program_took_is_named_where_it_took_most_of_what_it_may(void)
{
    static const char takes[] = "#include <stdlib.h>\n#include <string.h>\n"
                                "int main(void) { for (;;) memset(malloc(1 << 26), 1, 1 << 26); }",
                      dies[] = "#include <stdlib.h>\nint main(void) { abort(); }";
    struct execution execution;
    char end[160];
    run(takes, PROGRAM_RUNS_MS, &execution, end, sizeof end);
    CU_ASSERT(CHILD_SANITIZED || strstr(end, "it had taken"));
    execution_clear(&execution);
    run(dies, PROGRAM_RUNS_MS, &execution, end, sizeof end);
    CU_ASSERT_STRING_EQUAL(end, "is ended by signal 6 (Aborted)");
    execution_clear(&execution);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(a_program_that_sleeps_is_stopped_when_all_runs_have_had_their_time),
    SUPPORT_TEST(a_program_that_ends_leaves_time_to_the_next),
    SUPPORT_TEST(memory_that_a_program_took_is_named_where_it_took_most_of_what_it_may),
};

int program_run_suite_register(void)
{
    return support_register("program_run", tests, SUPPORT_COUNT(tests));
}
