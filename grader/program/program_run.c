#include "grader/program/program_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

/* A program has its limit of processor time (sandbox.c); the clock is for one that sleeps. */
enum { RUN_WALL_MS = 30000 };

void program_run(const struct program_job *job, const struct exchange *exchange, const char *failure,
                 struct execution *execution)
{
    const struct build *build = job->build;
    struct sandbox_path paths[] = {
        {build->folder, SANDBOX_READ},
        {build->program, SANDBOX_READ | SANDBOX_EXECUTE},
        {build->emulated, SANDBOX_READ},
        {"/lib", SANDBOX_READ},
        {"/lib64", SANDBOX_READ},
        {"/usr/lib", SANDBOX_READ},
        {"/usr/lib64", SANDBOX_READ},
        {"/lib64/ld-linux-x86-64.so.2", SANDBOX_READ | SANDBOX_EXECUTE}, /* the loader, which starts every program */
        {"/etc/ld.so.cache", SANDBOX_READ},
        {"/proc/self", SANDBOX_READ},
        {"/dev/null", SANDBOX_READ | SANDBOX_WRITE},
        {"/dev/urandom", SANDBOX_READ},
    };
    char *libraries = allocate_format("LD_LIBRARY_PATH=%s", build->emulated);
    char *driver = allocate_format("LOCKSTEP_EMULATED_DRIVER=%s/libcuda.so.1", build->emulated);
    char *fail = failure ? allocate_format("LOCKSTEP_FAIL=%s", failure) : NULL;
    char *environment[] = {libraries,
                           driver,
                           "LOCKSTEP_CHECKS=all",
                           "LOCKSTEP_FINDINGS=" EXECUTION_FINDINGS,
                           "LOCKSTEP_CALLS=" EXECUTION_CALLS,
                           "LC_ALL=C",
                           fail,
                           NULL};
    char *input = exchange_write(exchange), *arguments[] = {(char *)build->program, NULL};
    struct execution_request request = {.layer = SANDBOX_PROGRAM,
                                        .folder = build->folder,
                                        .arguments = arguments,
                                        .environment = environment,
                                        .paths = paths,
                                        .path_count = sizeof paths / sizeof *paths,
                                        .input = input,
                                        .input_bytes = strlen(input),
                                        .wall_ms = RUN_WALL_MS};
    execution_run(&request, execution);
    free(input);
    free(libraries);
    free(driver);
    free(fail);
}

bool program_run_timed_out(const struct execution *execution)
{
    bool by_limit = execution->end.signalled && (execution->end.code == SIGXCPU || execution->end.code == SIGKILL);
    return execution->timed_out || by_limit;
}

void program_run_describe_end(const struct execution *execution, char *text, size_t text_bytes)
{
    if (program_run_timed_out(execution))
        snprintf(text, text_bytes, "does not end: it was stopped after %d s",
                 execution->timed_out ? RUN_WALL_MS / 1000 : (int)sandbox_cpu_seconds(SANDBOX_PROGRAM));
    else if (execution->end.signalled)
        snprintf(text, text_bytes, "is ended by signal %d (%s)", execution->end.code, strsignal(execution->end.code));
    else
        snprintf(text, text_bytes, "ends with status %d", execution->end.code);
}
