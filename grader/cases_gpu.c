#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/cases_work.h"
#include "grader/diagnose.h"
#include "grader/random.h"

/* Time is good enough at this ratio to the reference, and worth nothing at the other. It carries no points yet. */
static const double time_full_at = 1.25, time_zero_at = 4.0;

/* An interval wider than this share of the ratio says nothing. */
static const double widest_interval = 0.2;

static bool all_pass(const struct result_lab *result)
{
    for (int i = 0; i < result->test_count; i++)
        if (result->tests[i].state != RESULT_PASS)
            return false;
    return true;
}

/* The GPU sees only what the emulated driver found safe: right, or wrong in nothing but its values. */
static bool is_safe(const struct result_lab *result)
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
    snprintf(finding->message + used, sizeof(finding->message) - used, "%s", words);
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
        snprintf(test->message, sizeof(test->message), "%s", gpu.message);
        snprintf(test->expected, sizeof(test->expected), "%s", gpu.expected);
        snprintf(test->actual, sizeof(test->actual), "%s", gpu.actual);
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

static void judge_time(const struct lab *lab, const struct run_timing *timing, struct result_lab *result)
{
    struct result_budget *budget = &result->budgets[result->budget_count++];
    double bytes = 0, operations = 0;
    lab->work(&lab->timing_case, &bytes, &operations);
    *budget = (struct result_budget){
        .track = "time", .metric = "milliseconds", .value = NAN, .reference = NAN, .ideal = NAN, .ratio = NAN, .low = NAN,
        .high = NAN, .full_at = time_full_at, .zero_at = time_zero_at, .state = RESULT_SKIPPED,
        .why = "your kernels and the reference solution in turn, level-2 cache emptied before each; no points yet",
    };
    if (!timing->measured) {
        snprintf(budget->message, sizeof(budget->message), "%.250s", timing->message);
        return;
    }
    budget->value = timing->student_ms;
    budget->reference = timing->reference_ms;
    budget->ratio = timing->ratio;
    budget->low = timing->low;
    budget->high = timing->high;
    if (timing->high - timing->low > widest_interval * timing->ratio ||
        (timing->low <= time_full_at && timing->high > time_full_at))
        budget->state = RESULT_INCONCLUSIVE;
    else
        budget->state = timing->high <= time_full_at ? RESULT_PASS : RESULT_FAIL;
}

static void measure_time(struct cases_work *work, const struct cases_input *reference, struct result_lab *result)
{
    const struct lab *lab = work->input->setup.lab;
    struct run_timing timing = {.measured = false};
    struct run_settings other = {.plan = reference->setup, .ptx = reference->ptx, .ptx_bytes = reference->ptx_bytes};
    struct run_reply reply;
    struct lab_data data;
    struct lab_random random;
    run_memory_data(&work->memory, lab, &lab->timing_case, &data);
    random_init(&random, work->input->seed, lab->name, lab->timing_case.name, 0);
    lab->fill(&lab->timing_case, &random, &data);
    if (!work->open)
        work->open = run_session_open(&work->session, &work->settings, &work->memory, &reply);
    if (work->open)
        run_step_time(&work->session, &other, &timing);
    judge_time(lab, &timing, result);
}

void cases_verify_on_gpu(const struct cases_input *input, const struct cases_input *reference, struct result_lab *result)
{
    struct cases_work work;
    struct run_reply reply;
    if (!is_safe(result) || !cases_work_begin(&work, input, result))
        return;
    work.settings.device = LOCKSTEP_GPU;
    work.open = run_session_open(&work.session, &work.settings, &work.memory, &reply);
    if (!work.open) {
        result->tests[0].state = RESULT_HARNESS_ERROR;
        snprintf(result->tests[0].message, sizeof(result->tests[0].message), "%s", reply.message);
    } else {
        result->device = work.session.device;
    }
    bool opened = work.open;
    for (int i = 0; i < result->test_count && opened; i++)
        verify_case(&work, i);
    if (opened && all_pass(result) && reference != NULL)
        measure_time(&work, reference, result);
    cases_work_end(&work);
}
