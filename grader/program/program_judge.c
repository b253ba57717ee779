#include "grader/program/program_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/judge/cases.h"
#include "grader/judge/hidden.h"
#include "grader/judge/hidden_tests.h"
#include "grader/judge/hints.h"
#include "grader/judge/verdict.h"
#include "grader/lab/labs.h"
#include "grader/program/program_rules.h"
#include "grader/result/diagnose.h"
#include "grader/sandbox/sandbox.h"

static const char without_landlock[] =
    "Programs are not judged here: the sandbox lacks landlock, so nothing would tell the files that they may open from others. "
    "`lockstep doctor` says why; --allow-unconfined judges those that you trust.";

/* Puts what the compiler said about a program that it refused into the result. */
static void report_rejection(const struct judge_input *input, struct build *build, struct result_lab *result)
{
    result->diagnostics = build->diagnostics;
    result->diagnostic_count = build->diagnostic_count;
    build->diagnostics = NULL;
    if (build->message[0] != '\0')
        verdict_refuse(result, input->submission->path, "limits", build->message);
    else
        verdict_reject(input->submission->path, result);
}

static bool did_not_end(const struct result_test *test)
{
    for (size_t i = 0; i < test->findings.count; i++)
        if (strcmp(test->findings.list[i].code, "program_end") == 0 && strcmp(test->findings.list[i].pattern, "time") == 0)
            return true;
    return false;
}

/* Runs the visible cases, then what the rules ask for. */
static void judge_visible(const struct program_job *job, struct result_lab *result)
{
    struct calls *calls = allocate_zeroed((size_t)(job->lab->case_count + 1) * sizeof *calls);
    bool ends = true;
    for (int i = 0; i < job->lab->case_count; i++) {
        struct result_test *test = &result->tests[i];
        if (ends) {
            program_case_judge(job, &job->lab->cases[i], test, &calls[i]);
        } else {
            test->state = RESULT_FAIL;
            test->not_run = true;
            snprintf(test->message, sizeof test->message, "Not run, because the program did not end in another test.");
        }
        ends = ends && !did_not_end(test);
    }
    program_rules_judge(job, calls, result);
    for (int i = 0; i < job->lab->case_count; i++)
        calls_clear(&calls[i]);
    free(calls);
}

/* Nothing but verdicts comes out of here. */
static void judge_hidden(const struct program_job *job, const struct lab *whole, uint64_t key,
                         struct hidden_verdict verdicts[HIDDEN_MOST])
{
    struct lab *lab = hidden_lab_create(whole, key);
    struct program_job own = *job;
    own.lab = lab;
    own.seed = key;
    for (int i = 0; i < lab->case_count && i < HIDDEN_MOST; i++) {
        struct result_test *closed = allocate_zeroed(sizeof *closed);
        struct calls calls;
        program_case_judge(&own, &lab->cases[i], closed, &calls);
        verdicts[i] = hidden_verdict_of(closed);
        calls_clear(&calls);
        free(closed->findings.list);
        free(closed);
    }
    hidden_lab_destroy(lab);
}

/* Says, where the GPU was asked for, that it was not used. */
static void tell_no_gpu(struct result_lab *result)
{
    result->budgets[result->budget_count++] = (struct result_budget){
        .track = "time",
        .metric = "gpu",
        .title = "the program on the GPU",
        .value = NAN,
        .reference = NAN,
        .ideal = NAN,
        .ratio = NAN,
        .full_at = NAN,
        .zero_at = NAN,
        .low = NAN,
        .high = NAN,
        .state = RESULT_SKIPPED,
        .why = "",
        .message = "not run there: programs are judged on the emulated device alone",
    };
}

static void judge_built(const struct judge_input *input, const struct lab *whole, const struct build *build,
                        struct result_lab *result)
{
    struct program_job job = {input->lab, build, input->submission, input->seed};
    struct hidden_verdict hidden[HIDDEN_MOST] = {{HIDDEN_PASS, HIDDEN_NO_CAUSE}};
    judge_visible(&job, result);
    for (int i = 0; i < result->test_count; i++)
        hints_apply(input->lab, NULL, &result->tests[i].findings);
    if (input->hidden_key) {
        judge_hidden(&job, whole, *input->hidden_key, hidden);
        hidden_publish(whole, hidden, result);
    }
    verdict_conclude(result);
}

void program_judge(const struct judge_input *input, struct result_lab *result)
{
    struct judge_input chosen = *input;
    struct lab *lab = hidden_lab_visible(input->lab);
    struct build build;
    int64_t start = record_now_ms();
    memset(result, 0, sizeof *result);
    chosen.lab = lab;
    result->lab = input->lab->name;
    result->path = input->submission->path;
    result->max_score = labs_max_score(input->lab);
    cases_list(lab, input->hidden_key ? input->lab->case_count : lab->case_count, result);
    program_rules_list(lab, result);
    if (input->gpu)
        tell_no_gpu(result);
    if (input->submission->status != SUBMISSION_READ) {
        verdict_refuse(result, input->submission->path, "file", input->submission->message);
    } else if (!sandbox_opens_paths() && sandbox_parts() >> SANDBOX_CALLS & 1) {
        verdict_fail_whole(result, RESULT_HARNESS_ERROR, without_landlock);
    } else {
        build_program(input->submission, &build);
        if (build.built)
            judge_built(&chosen, input->lab, &build, result);
        else if (build.harness)
            verdict_fail_whole(result, RESULT_HARNESS_ERROR, build.message);
        else
            report_rejection(&chosen, &build, result);
        build_clear(&build);
    }
    /* What hidden tests took is kept secret: a submission can make it depend on them. */
    result->seconds = input->hidden_key ? 0 : (double)(record_now_ms() - start) / 1000.0;
    hidden_lab_destroy(lab);
    if (input->hidden_key && result->state == RESULT_ERROR)
        hidden_publish(input->lab, NULL, result);
    if (input->hidden_refusal)
        hidden_publish_skipped(input->lab, input->hidden_refusal, result);
}
