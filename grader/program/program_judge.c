#include "grader/program/program_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/compile/runtime_calls.h"
#include "grader/judge/cases.h"
#include "grader/judge/hidden.h"
#include "grader/judge/hidden_tests.h"
#include "grader/judge/hints.h"
#include "grader/judge/verdict.h"
#include "grader/lab/labs.h"
#include "grader/program/program_gpu.h"
#include "grader/program/program_rules.h"
#include "grader/result/diagnose.h"
#include "grader/run/probe.h"
#include "grader/sandbox/sandbox.h"

static const char files_not_held[] =
    "Programs are not judged here: there is neither Landlock nor a user namespace, so nothing would tell the files that they may "
    "open from others. "
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

/* Why other tests need not be tried: the program does not end, or not begin. NULL: they are worth trying. */
static const char *find_hopeless(const struct result_test *test)
{
    for (size_t i = 0; i < test->findings.count; i++) {
        const struct result_finding *finding = &test->findings.list[i];
        if (strcmp(finding->code, "program_end") == 0 && strcmp(finding->pattern, "time") == 0)
            return "Not run, because the program did not end in another test.";
        if (strcmp(finding->code, "program_end") == 0 && strcmp(finding->pattern, "refused") == 0)
            return "Not run, because the program cannot be started.";
    }
    return NULL;
}

static void forget_test(struct result_test *test)
{
    test->findings.count = 0;
    test->message[0] = test->place[0] = test->expected[0] = test->actual[0] = '\0';
    result_picture_destroy(test->picture);
    test->picture = NULL;
}

/* What kernels of submissions must not ask for is refused as the compiler's refusals are. Returns whether there is any. */
static bool refuse_foreign(const struct program_job *job, const struct calls *calls, struct result_lab *result)
{
    for (int kind = 0; kind < PTX_FOREIGN_KINDS; kind++) {
        const struct calls_foreign *known = &calls->foreign[kind];
        if (!known->is_there || (kind == PTX_FOREIGN_RUNTIME && job->lab->device_runtime))
            continue;
        const struct ptx_foreign foreign = {.name = known->name, .line = known->line, .needed = known->needed};
        result->diagnostics = allocate_zeroed(sizeof *result->diagnostics);
        result->diagnostic_count = 1;
        runtime_calls_describe(&foreign, (enum ptx_foreign_kind)kind, known->target, job->submission->source,
                               result->diagnostics);
        snprintf(result->diagnostics->file, sizeof result->diagnostics->file, "%.255s", job->submission->path);
        for (int i = 0; i < result->test_count; i++)
            forget_test(&result->tests[i]);
        verdict_reject(job->submission->path, result);
        return true;
    }
    return false;
}

/* Runs the visible cases, then what the rules ask for. Returns false when the program has kernels that are refused. */
static bool judge_visible(const struct program_job *job, struct result_lab *result)
{
    struct calls *calls = allocate_zeroed((size_t)(job->lab->case_count + 1) * sizeof *calls);
    const char *hopeless = NULL;
    bool refused = false;
    for (int i = 0; i < job->lab->case_count && !refused; i++) {
        struct result_test *test = &result->tests[i];
        if (!hopeless) {
            program_case_judge(job, &job->lab->cases[i], test, &calls[i]);
        } else {
            test->state = RESULT_FAIL;
            test->not_run = true;
            snprintf(test->message, sizeof test->message, "%s", hopeless);
        }
        hopeless = hopeless ? hopeless : find_hopeless(test);
        refused = refuse_foreign(job, &calls[i], result);
    }
    if (!refused)
        program_rules_judge(job, calls, result);
    for (int i = 0; i < job->lab->case_count; i++)
        calls_clear(&calls[i]);
    free(calls);
    return !refused;
}

/* Nothing but verdicts comes out of here.
 *   device   the GPU on which they are to run, too; NULL: none */
static void judge_hidden(const struct program_job *job, const struct lab *whole, uint64_t key,
                         const lockstep_device_info *device, struct hidden_verdict verdicts[HIDDEN_MOST])
{
    struct lab *lab = hidden_lab_create(whole, key);
    struct program_job own = *job;
    int64_t left_ms = PROGRAM_RUNS_MS, left_on_gpu_ms = PROGRAM_RUNS_MS;
    own.lab = lab;
    own.seed = key;
    for (int i = 0; i < lab->case_count && i < HIDDEN_MOST; i++) {
        struct result_test *closed = allocate_zeroed(sizeof *closed);
        struct calls calls;
        own.left_ms = &left_ms;
        program_case_judge(&own, &lab->cases[i], closed, &calls);
        own.left_ms = &left_on_gpu_ms;
        if (device && closed->state == RESULT_PASS)
            program_gpu_verify(&own, device, &lab->cases[i], closed);
        verdicts[i] = hidden_verdict_of(closed);
        calls_clear(&calls);
        free(closed->findings.list);
        free(closed);
    }
    hidden_lab_destroy(lab);
}

/* The GPU. It is opened before anything of the submission is judged: NVRTC, which a program in C needs, opens the driver in
 * the process that asks for it, and no child of such a process can. */
struct found_gpu {
    bool there;
    lockstep_device_info device;
    char message[1600]; /* why it is not there */
};

/* Runs the cases on the GPU, too. */
static void verify_on_gpu(const struct program_job *job, const struct found_gpu *gpu, struct result_lab *result)
{
    bool ends = gpu->there;
    if (!gpu->there) {
        result->tests[0].state = RESULT_HARNESS_ERROR;
        snprintf(result->tests[0].message, sizeof result->tests[0].message, "%s", gpu->message);
        return;
    }
    for (int i = 0; i < job->lab->case_count && ends; i++)
        ends = program_gpu_verify(job, &gpu->device, &job->lab->cases[i], &result->tests[i]);
    result->device = gpu->device;
    result->has_device = true;
}

/* Time is worth measuring where every case is right, whatever the rules say. */
static bool passes_on_gpu(const struct result_lab *result)
{
    for (int i = 0; i < result->test_count; i++) {
        const struct result_test *test = &result->tests[i];
        if (test->on_gpu && (test->state != RESULT_PASS || test->gpu_state != RESULT_PASS))
            return false;
    }
    return true;
}

static void judge_built(const struct judge_input *input, const struct lab *whole, const struct build *build,
                        struct result_lab *result)
{
    int64_t left_ms = PROGRAM_RUNS_MS;
    struct program_job job = {input->lab, build, input->submission, input->seed, &left_ms};
    struct hidden_verdict hidden[HIDDEN_MOST] = {{HIDDEN_PASS, HIDDEN_NO_CAUSE}};
    struct found_gpu *gpu = allocate_zeroed(sizeof *gpu);
    gpu->there = input->gpu && probe_device(LOCKSTEP_GPU, &gpu->device, gpu->message, sizeof gpu->message);
    if (!judge_visible(&job, result)) {
        free(gpu);
        return;
    }
    left_ms = PROGRAM_RUNS_MS;
    bool safe = input->gpu && program_gpu_is_safe(result, input->lab->case_count), on_gpu = safe && gpu->there;
    if (safe)
        verify_on_gpu(&job, gpu, result);
    for (int i = 0; i < result->test_count; i++)
        hints_apply(input->lab, NULL, &result->tests[i].findings);
    if (input->hidden_key) {
        judge_hidden(&job, whole, *input->hidden_key, on_gpu ? &gpu->device : NULL, hidden);
        hidden_publish(whole, hidden, result);
    }
    if (on_gpu && passes_on_gpu(result))
        program_gpu_time(&job, &gpu->device, result);
    free(gpu);
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
    if (input->submission->status != SUBMISSION_READ) {
        verdict_refuse(result, input->submission->path, "file", input->submission->message);
    } else if (!sandbox_opens_paths() && sandbox_parts() >> SANDBOX_CALLS & 1) {
        verdict_fail_whole(result, RESULT_HARNESS_ERROR, files_not_held);
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
    verdict_blame_lab(input->lab, result);
    /* What hidden tests took is kept secret: a submission can make it depend on them. */
    result->seconds = input->hidden_key ? 0 : (double)(record_now_ms() - start) / 1000.0;
    hidden_lab_destroy(lab);
    if (input->hidden_key && result->state == RESULT_ERROR)
        hidden_publish(input->lab, NULL, result);
    if (input->hidden_refusal)
        hidden_publish_skipped(input->lab, input->hidden_refusal, result);
}
