#include "grader/program/program_case.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/findings.h"
#include "grader/program/program_explain.h"
#include "grader/result/diagnose.h"

/* A program has its limit of processor time (sandbox.c); the clock is for one that sleeps. */
enum { RUN_WALL_MS = 30000 };

void program_case_run(const struct program_job *job, const struct exchange *exchange, const char *failure,
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

void program_case_describe_end(const struct execution *execution, char *text, size_t text_bytes)
{
    if (execution->timed_out || (execution->end.signalled && execution->end.code == SIGXCPU))
        snprintf(text, text_bytes, "does not end: it was stopped after %d s",
                 execution->timed_out ? RUN_WALL_MS / 1000 : (int)sandbox_cpu_seconds(SANDBOX_PROGRAM));
    else if (execution->end.signalled)
        snprintf(text, text_bytes, "is ended by signal %d (%s)", execution->end.code, strsignal(execution->end.code));
    else
        snprintf(text, text_bytes, "ends with status %d", execution->end.code);
}

/* ---- what the driver found ---------------------------------------------------------------------------------------- */

static const char place_words[] = ", address 0x";

/* The driver names calls in the program by address. Replaces each by its line, and puts the first into the finding. */
static void put_lines(const struct program_job *job, struct result_finding *finding)
{
    for (char *at; (at = strstr(finding->message, place_words));) {
        char *end, rest[sizeof finding->message], words[32] = "";
        uint64_t address = strtoull(at + sizeof place_words - 3, &end, 16);
        int line = 0;
        build_find_lines(job->build, &address, 1, &line);
        if (line > 0)
            snprintf(words, sizeof words, ", line %d", line);
        snprintf(rest, sizeof rest, "%s", end);
        snprintf(at, sizeof finding->message - (size_t)(at - finding->message), "%s%s", words, rest);
        if (line > 0 && finding->line == 0)
            finding->line = line;
        else if (line > 0 && finding->line2 == 0)
            finding->line2 = line;
    }
    if (finding->line > 0 && finding->file[0] == '\0')
        snprintf(finding->file, sizeof finding->file, "%.255s", job->submission->path);
}

/* The call that failed because of what the driver found about it. NULL: none failed. */
static const struct call *find_failed(const struct calls *calls)
{
    enum { NOT_READY = 600 };
    for (size_t i = 0; i < calls->count; i++)
        if (calls->list[i].result != 0 && calls->list[i].result != NOT_READY)
            return &calls->list[i];
    return NULL;
}

static bool has_failing(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (diagnose_fails(&findings->list[i]))
            return true;
    return false;
}

static void take_findings(const struct program_job *job, const struct execution *execution, const struct calls *calls,
                          struct result_findings *findings)
{
    struct plan_setup *setup = allocate_zeroed(sizeof *setup);
    struct result_findings all = {0};
    const struct call *failed = find_failed(calls);
    setup->lab = job->lab;
    setup->source = job->submission->source;
    setup->source_bytes = job->submission->source_bytes;
    findings_read(execution->findings, execution->findings_bytes, setup, job->submission->path, &all);
    for (size_t i = 0; i < all.count; i++) {
        struct result_finding *finding = &all.list[i];
        if (strcmp(finding->code, "leak") == 0) /* judged from the calls, where the lab asks for it */
            continue;
        put_lines(job, finding);
        if (finding->line == 0 && finding->kernel[0] == '\0' && failed && failed->line > 0) {
            finding->line = failed->line;
            snprintf(finding->file, sizeof finding->file, "%.255s", job->submission->path);
        }
        result_findings_add(findings, finding);
    }
    free(all.list);
    free(setup);
}

/* ---- the test ------------------------------------------------------------------------------------------------------ */

static void show_values(const struct program_job *job, const struct exchange_answer *answer, struct result_test *test)
{
    const struct lab_output *output = &job->lab->outputs[answer->output];
    if (answer->kind != EXCHANGE_WRONG)
        return;
    if (output->scalar)
        snprintf(test->place, sizeof test->place, "%s", output->name);
    else
        snprintf(test->place, sizeof test->place, "%s[%zu]", output->name, answer->index);
    snprintf(test->expected, sizeof test->expected, "%s", answer->expected);
    snprintf(test->actual, sizeof test->actual, "%s", answer->actual);
}

void program_case_judge(const struct program_job *job, const struct lab_case *the_case, struct result_test *test,
                        struct calls *calls)
{
    struct exchange exchange;
    struct execution execution;
    memset(calls, 0, sizeof *calls);
    exchange_create(job->lab, the_case, job->seed, &exchange);
    program_case_run(job, &exchange, NULL, &execution);
    if (!execution.started) {
        test->state = RESULT_HARNESS_ERROR;
        snprintf(test->message, sizeof test->message, "%s", execution.message);
    } else {
        calls_read(execution.calls, execution.calls_bytes, job->build, calls);
        take_findings(job, &execution, calls, &test->findings);
        const struct program_facts facts = {job, &exchange, &execution, calls, find_failed(calls)};
        program_explain_calls(&facts, &test->findings);
        struct exchange_answer answer;
        if (program_explain_end(&facts, &test->findings)) {
            exchange_read(&exchange, execution.output, execution.output_bytes, &answer);
            program_explain_answer(&facts, &answer, &test->findings);
            show_values(job, &answer, test);
        }
        diagnose_sort(&test->findings);
        test->state = has_failing(&test->findings) ? RESULT_FAIL : RESULT_PASS;
    }
    execution_clear(&execution);
    exchange_clear(&exchange);
}
