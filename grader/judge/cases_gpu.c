#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases.h"
#include "grader/judge/cases_work.h"
#include "grader/judge/timing.h"
#include "grader/result/diagnose.h"

/* The GPU sees only what the emulated driver found safe: right, or wrong in nothing but its values. */
bool cases_gpu_is_safe(const struct result_lab *result)
{
    for (int i = 0; i < result->test_count; i++) {
        const struct result_test *test = &result->tests[i];
        if (test->state != RESULT_PASS && (test->state != RESULT_FAIL || test->findings.count == 0))
            return false;
        for (size_t k = 0; k < test->findings.count; k++)
            if (diagnose_fails(&test->findings.list[k]) && !diagnose_is_harmless(&test->findings.list[k]))
                return false;
    }
    return true;
}

static void add_words(struct result_finding *finding, const char *words)
{
    size_t used = strlen(finding->message);
    snprintf(finding->message + used, sizeof finding->message - used, "%s", words);
}

/* Runs the case twice, as everywhere. What the emulated driver found wrong stays the verdict. */
static void verify_case(struct cases_work *work, int index)
{
    struct result_test *test = &work->result->tests[index];
    struct result_test gpu = {.state = RESULT_PASS};
    for (int run_index = 0; run_index < 2 && gpu.state == RESULT_PASS; run_index++) {
        struct lab_data data;
        struct verify_run run;
        struct run_reply reply;
        cases_work_run(work, index, run_index, run_index == 1, &data, &run, &reply);
        run.first_right = run_index > 0;
        verify_outcome(&run, &reply, &gpu);
        if (reply.outcome == RUN_RAN)
            verify_outputs(&run, &reply, &gpu);
        if (work->open && !work->session.alive)
            cases_work_close_session(work);
    }
    test->on_gpu = true;
    test->gpu_state = gpu.state;
    if (test->state == RESULT_PASS && gpu.state != RESULT_PASS) {
        test->state = gpu.state;
        snprintf(test->message, sizeof test->message, "%s", gpu.message);
        snprintf(test->place, sizeof test->place, "%s", gpu.place);
        snprintf(test->expected, sizeof test->expected, "%s", gpu.expected);
        snprintf(test->actual, sizeof test->actual, "%s", gpu.actual);
        for (size_t i = 0; i < gpu.findings.count; i++) {
            if (diagnose_fails(&gpu.findings.list[i]))
                add_words(&gpu.findings.list[i], " This happened on the GPU; the emulated driver gave the right result.");
            result_findings_add(&test->findings, &gpu.findings.list[i]);
        }
    } else if (test->state == RESULT_FAIL && gpu.state == RESULT_PASS && test->findings.count > 0) {
        add_words(&test->findings.list[0], " On this GPU the result came out right, by luck.");
    }
    free(gpu.findings.list);
}

/* Owned by the caller of cases_gpu_begin. */
struct cases_gpu {
    struct cases_work work;
    bool begun;
    struct run_reply reply; /* why it was not */
};

struct cases_gpu *cases_gpu_begin(const struct cases_input *input, struct result_lab *result)
{
    struct cases_gpu *gpu = allocate_zeroed(sizeof *gpu);
    struct cases_work *work = &gpu->work;
    if (!cases_work_begin(work, input, result)) {
        gpu->reply.outcome = RUN_HARNESS;
        snprintf(gpu->reply.message, sizeof gpu->reply.message, "not enough memory for the lab's arrays");
        return gpu;
    }
    work->settings.device = LOCKSTEP_GPU;
    gpu->begun = run_session_begin(&work->session, &work->settings, &work->memory, &gpu->reply);
    return gpu;
}

void cases_gpu_verify(struct cases_gpu *gpu)
{
    struct cases_work *work = &gpu->work;
    struct result_lab *result = work->result;
    if (!gpu->begun || !run_session_wait(&work->session, &gpu->reply)) {
        result->tests[0].state = RESULT_HARNESS_ERROR;
        snprintf(result->tests[0].message, sizeof result->tests[0].message, "%s", gpu->reply.message);
        return;
    }
    work->open = true;
    result->device = work->session.device;
    for (int i = 0; i < result->test_count; i++)
        verify_case(work, i);
}

void cases_gpu_time(struct cases_gpu *gpu, const struct cases_input *reference)
{
    timing_judge(&gpu->work, reference, gpu->work.result);
}

void cases_gpu_end(struct cases_gpu *gpu)
{
    if (gpu->begun && !gpu->work.open)
        run_session_close(&gpu->work.session);
    cases_work_end(&gpu->work);
    free(gpu);
}
