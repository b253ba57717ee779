#include "grader/program/program_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/findings.h"
#include "grader/program/program_explain.h"
#include "grader/result/diagnose.h"

/* ---- what the driver found ---------------------------------------------------------------------------------------- */

static const char place_words[] = ", address 0x";

/* The driver names calls in the program by address. Replaces each by its line, and puts the first into the finding. */
static void put_lines(const struct program_job *job, struct result_finding *finding)
{
    for (char *at; (at = strstr(finding->message, place_words));) {
        char *end, rest[sizeof finding->message], words[32] = "";
        uint64_t address = strtoull(at + sizeof place_words - 3, &end, 16);
        struct build_place place;
        build_find_places(job->build, &address, 1, &place);
        int line = place.line;
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

/* The call during which the driver wrote what is at this offset of the findings; NULL: none. */
static const struct call *find_call(const struct calls *calls, uint64_t offset)
{
    for (size_t i = 0; i < calls->count; i++)
        if (calls->list[i].found > offset)
            return &calls->list[i];
    return NULL;
}

/* Takes one finding of the driver's. What it says of a call that failed belongs to that failure.
 *   remark   out: the sentence about the failed call */
static void take_finding(const struct program_job *job, struct result_finding *finding, const struct call *call,
                         const struct call *failed, struct result_findings *findings, char remark[600])
{
    bool is_launch = strcmp(finding->code, "launch") == 0;
    if (strcmp(finding->code, "leak") == 0) /* judged from the calls, where the lab asks for it */
        return;
    put_lines(job, finding);
    if (finding->line == 0 && call && (finding->kernel[0] == '\0' || is_launch)) {
        finding->line = call->line;
        snprintf(finding->file, sizeof finding->file, "%.255s", job->submission->path);
        if (call == failed && !is_launch) {
            snprintf(remark, 600, "%.590s", finding->message);
            return;
        }
    }
    result_findings_add(findings, finding);
}

static void take_findings(const struct program_job *job, const struct execution *execution, const struct calls *calls,
                          struct result_findings *findings, char remark[600])
{
    struct plan_setup *setup = allocate_zeroed(sizeof *setup);
    const char *text = execution->findings;
    const struct call *failed = find_failed(calls);
    setup->lab = job->lab;
    setup->source = job->submission->source;
    setup->source_bytes = job->submission->source_bytes;
    for (uint64_t at = 0; at < execution->findings_bytes;) {
        struct result_findings one = {0};
        size_t length = strcspn(text + at, "\n");
        findings_read(text + at, length, setup, job->submission->path, &one);
        if (one.count > 0)
            take_finding(job, one.list, find_call(calls, at), failed, findings, remark);
        free(one.list);
        at += length + 1;
    }
    free(setup);
}

/* Memory that nothing was written to, where the calls show why: then that is the cause. */
static void put_reason_first(struct result_findings *findings)
{
    if (findings->count == 0 || strcmp(findings->list[0].code, "uninitialized") != 0)
        return;
    for (size_t i = 1; i < findings->count; i++) {
        struct result_finding *reason = &findings->list[i];
        if (strcmp(reason->code, "wrong_value") != 0 || !reason->explained)
            continue;
        struct result_finding *moved = allocate_zeroed(sizeof *moved);
        *moved = *reason;
        memmove(&findings->list[1], &findings->list[0], i * sizeof *moved);
        findings->list[0] = *moved;
        free(moved);
        return;
    }
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
    program_run(job, &exchange, NULL, &execution);
    if (!execution.started) {
        test->state = RESULT_HARNESS_ERROR;
        snprintf(test->message, sizeof test->message, "%s", execution.message);
    } else {
        calls_read(execution.calls, execution.calls_bytes, job->build, calls);
        char remark[600] = "";
        take_findings(job, &execution, calls, &test->findings, remark);
        const struct program_facts facts = {job, &exchange, &execution, calls, find_failed(calls), remark};
        program_explain_calls(&facts, &test->findings);
        struct exchange_answer answer;
        if (program_explain_end(&facts, &test->findings)) {
            exchange_read(&exchange, execution.output, execution.output_bytes, &answer);
            program_explain_answer(&facts, &answer, &test->findings);
            show_values(job, &answer, test);
        }
        diagnose_sort(&test->findings);
        put_reason_first(&test->findings);
        test->state = has_failing(&test->findings) ? RESULT_FAIL : RESULT_PASS;
    }
    execution_clear(&execution);
    exchange_clear(&exchange);
}
