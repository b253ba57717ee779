/* grader/timing: the statistics, and the protocol of timed runs. The protocol is tried on the emulated driver, where a time
 * says nothing but every run must leave the right result. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/compile/compile_step.h"
#include "grader/judge/timing.h"
#include "grader/lab/labs.h"
#include "grader/run/plan_choice.h"

/* ---- statistics --------------------------------------------------------------------------------------------------- */

static void medians_ignore_single_slow_runs(void)
{
    float student[21], reference[21];
    for (int i = 0; i < 21; i++) {
        student[i] = i == 7 ? 90.0f : 3.0f + 0.001f * (float)(i % 5);
        reference[i] = i == 2 ? 50.0f : 2.0f;
    }
    struct timing_ratio ratio = timing_summarise(student, reference, 21);
    CU_ASSERT_DOUBLE_EQUAL(ratio.student_ms, 3.002, 0.001);
    CU_ASSERT_DOUBLE_EQUAL(ratio.reference_ms, 2.0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(ratio.ratio, 1.501, 0.001);
    CU_ASSERT(ratio.low >= 1.4999 && ratio.low <= ratio.ratio && ratio.ratio <= ratio.high && ratio.high < 1.51);
}

/* The interval holds the median's true place in 95 of 100 experiments, whatever the distribution; here a skewed one. */
static void intervals_hold_the_truth_as_often_as_they_say(void)
{
    uint32_t seed = 1;
    int held = 0;
    for (int experiment = 0; experiment < 1000; experiment++) {
        float student[33], reference[33];
        for (int i = 0; i < 33; i++) {
            seed = seed * 1664525u + 1013904223u;
            student[i] = 1.0f - logf(((float)(seed >> 8) + 0.5f) / 16777216.0f); /* 1 + exponential: median 1 + ln 2 */
            reference[i] = 1.0f;
        }
        struct timing_ratio ratio = timing_summarise(student, reference, 33);
        held += ratio.low <= 1 + log(2.0) && 1 + log(2.0) <= ratio.high;
    }
    CU_ASSERT(held >= 930 && held <= 995);
}

static enum result_state verdict(double low, double ratio, double high)
{
    return timing_verdict(&(struct timing_ratio){.ratio = ratio, .low = low, .high = high}, 1.5);
}

static void verdict_needs_an_interval_clear_of_the_bound(void)
{
    CU_ASSERT_EQUAL(verdict(1.3, 1.4, 1.5), RESULT_PASS);
    CU_ASSERT_EQUAL(verdict(1.3, 1.4, 1.51), RESULT_INCONCLUSIVE);
    CU_ASSERT_EQUAL(verdict(1.5, 1.6, 1.7), RESULT_INCONCLUSIVE);
    CU_ASSERT_EQUAL(verdict(1.55, 1.6, 1.65), RESULT_FAIL);
    CU_ASSERT_EQUAL(verdict(2, 3, 4), RESULT_INCONCLUSIVE);
}

/* Clocks that fall by a third while it is measured: both of a pair fall, and their ratio says what it always said. */
static void clocks_that_drift_change_no_ratio(void)
{
    float student[33], reference[33];
    for (int i = 0; i < 33; i++) {
        float slower = 1.0f + 0.5f * (float)i / 32;
        student[i] = slower * (1.40f + 0.002f * (float)(i % 3));
        reference[i] = slower;
    }
    struct timing_ratio ratio = timing_summarise(student, reference, 33);
    CU_ASSERT(ratio.low >= 1.3999 && ratio.high <= 1.4041);
    CU_ASSERT_EQUAL(timing_verdict(&ratio, 1.5), RESULT_PASS);
    CU_ASSERT_EQUAL(timing_verdict(&ratio, 1.3), RESULT_FAIL);
}

/* Clocks that jump between the two runs of a pair, in every other pair: nothing is known then. */
static void clocks_that_jump_within_pairs_leave_it_open(void)
{
    float student[33], reference[33];
    for (int i = 0; i < 33; i++) {
        student[i] = i % 2 == 0 ? 1.4f : 1.4f * 1.5f;
        reference[i] = 1.0f;
    }
    struct timing_ratio ratio = timing_summarise(student, reference, 33);
    CU_ASSERT_EQUAL(timing_verdict(&ratio, 1.5), RESULT_INCONCLUSIVE);
    CU_ASSERT_EQUAL(timing_verdict(&ratio, 1.3), RESULT_INCONCLUSIVE);
}

/* ---- timed runs --------------------------------------------------------------------------------------------------- */

struct graded {
    struct compile_result *compiled;
    struct cases_input input;
};

static void load(struct graded *graded, const char *source)
{
    const struct lab *lab = labs_find("vector_add");
    struct compile_input input = {
        .source = source,
        .source_bytes = strlen(source),
        .file_name = "vector_add.cu",
        .lab = lab,
    };
    struct plan_problem problem;
    graded->compiled = allocate_zeroed(sizeof *graded->compiled);
    graded->input = (struct cases_input){.seed = 7, .file = "vector_add.cu"};
    compile_step(&input, graded->compiled);
    CU_ASSERT_FATAL(graded->compiled->outcome == COMPILE_DONE);
    CU_ASSERT_FATAL(plan_choice_find(lab, graded->compiled, &graded->input.setup.plan, &problem));
    CU_ASSERT_FATAL(plan_choice_prepare(lab, graded->compiled, &graded->input.setup, &problem));
    graded->input.setup.timing_case.size[0] = 5000;
    graded->input.ptx = graded->compiled->ptx;
    graded->input.ptx_bytes = graded->compiled->ptx_bytes;
}

static void unload(struct graded *graded)
{
    compile_step_clear(graded->compiled);
    free(graded->compiled);
}

static const char honest[] = "extern \"C\" __global__ void vector_add(const float *a, const float *b, float *c, int n)\n"
                             "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }\n";

/* Runs the timing protocol on a device that says so much of its memory is free (0: as it is). Returns the new row. */
static struct result_budget judge_with_memory(const char *source, uint64_t memory_bytes)
{
    struct graded student, reference;
    struct cases_work work;
    struct result_lab result = {.max_score = 100};
    struct run_reply reply;
    load(&student, source);
    load(&reference, honest);
    result.budgets = allocate_zeroed(sizeof *result.budgets);
    CU_ASSERT_FATAL(cases_work_begin(&work, &student.input, &result));
    work.open = run_session_open(&work.session, &work.settings, &work.memory, &reply);
    CU_ASSERT_FATAL(work.open);
    if (memory_bytes > 0)
        work.session.device.free_memory_bytes = memory_bytes;
    result.device = work.session.device;
    timing_judge(&work, &reference.input, &result);
    CU_ASSERT_EQUAL(result.budget_count, 1);
    struct result_budget budget = result.budgets[0];
    CU_ASSERT_EQUAL(result.max_score, 100 + budget.max_score);
    cases_work_end(&work);
    free(result.budgets);
    unload(&student);
    unload(&reference);
    return budget;
}

static struct result_budget judge(const char *source)
{
    return judge_with_memory(source, 0);
}

static void times_an_honest_kernel(void)
{
    struct result_budget budget = judge(honest);
    CU_ASSERT(budget.value > 0 && budget.reference > 0 && budget.low <= budget.high);
    CU_ASSERT(budget.state == RESULT_PASS || budget.state == RESULT_INCONCLUSIVE || budget.state == RESULT_FAIL);
    CU_ASSERT_PTR_NOT_NULL(strstr(budget.message, "GB/s"));
}

/* Right in a first launch with any inputs, then only a copy of what that left. */
static void gives_nothing_to_a_kernel_that_remembers_its_first_result(void)
{
    struct result_budget budget = judge(
        "__device__ float kept[5000]; __device__ int launches;\n"
        "extern \"C\" __global__ void vector_add(const float *a, const float *b, float *c, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;\n"
        "  if (kept[i] == 0.0f) kept[i] = a[i] + b[i]; c[i] = kept[i]; }\n");
    CU_ASSERT_EQUAL(budget.state, RESULT_FAIL);
    CU_ASSERT_EQUAL(budget.score, 0);
    CU_ASSERT_EQUAL(budget.max_score, 10);
    CU_ASSERT_PTR_NOT_NULL(strstr(budget.message, "c["));
}

/* Knows a timed run by what is in c before it. */
static void gives_nothing_to_a_kernel_that_works_only_when_it_is_compared(void)
{
    struct result_budget budget = judge(
        "extern \"C\" __global__ void vector_add(const float *a, const float *b, float *c, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;\n"
        "  unsigned was = __float_as_uint(c[i]); bool timed = was == (was & 255) * 0x01010101u;\n"
        "  c[i] = timed ? 0.0f : a[i] + b[i]; }\n");
    CU_ASSERT_EQUAL(budget.state, RESULT_FAIL);
    CU_ASSERT_EQUAL(budget.score, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(budget.message, "a timed run gave a wrong result"));
}

static void short_times_are_means_of_several_runs(void)
{
    CU_ASSERT_EQUAL(run_timing_repeats(5.0f), 1);
    CU_ASSERT_EQUAL(run_timing_repeats(0.02f), 1);
    CU_ASSERT_EQUAL(run_timing_repeats(0.019f), 2);
    CU_ASSERT_EQUAL(run_timing_repeats(0.005f), 4);
    CU_ASSERT_EQUAL(run_timing_repeats(0.0f), 16);
    CU_ASSERT_EQUAL(run_timing_repeats(NAN), 1);
    /* One element, which the emulated driver adds in a few microseconds. */
    struct result_budget budget = judge_with_memory(honest, 10);
    CU_ASSERT(budget.value > 0 && budget.reference > 0);
    const char *mean = strstr(budget.message, "each time is the mean of "); /* where nothing else was going on */
    CU_ASSERT(!mean || atoi(mean + strlen("each time is the mean of ")) > 1);
}

static void does_not_measure_again_what_takes_for_ever(void)
{
    struct result_budget budget = judge(
        "extern \"C\" __global__ void vector_add(const float *a, const float *b, float *c, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;\n"
        "  float v = b[i]; unsigned word = i;\n"
        "#pragma unroll 1\n"
        "  for (int k = 0; k < 200000; k++) word = word * 1664525u + __float_as_uint(v);\n"
        "  c[i] = a[i] + (word == 12345u ? 2.0f * v - v : v); }\n");
    CU_ASSERT_EQUAL(budget.state, RESULT_FAIL);
    CU_ASSERT_EQUAL(budget.score, 0);
    CU_ASSERT_EQUAL(budget.max_score, 10);
    CU_ASSERT(budget.value > 60 && budget.ratio > 6 && budget.low == budget.ratio && budget.high == budget.ratio);
    CU_ASSERT_PTR_NOT_NULL(strstr(budget.message, "so slow that it was not measured again"));
}

/* 5000 elements in three arrays: 4 times 60 KB are more than a half of 200 KB, and so are those of 2500. */
static void takes_a_smaller_case_where_memory_is_short(void)
{
    struct result_budget budget = judge_with_memory(honest, 200000);
    CU_ASSERT(budget.value > 0 && budget.reference > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(budget.message, "GB/s"));
    CU_ASSERT_PTR_NOT_NULL(strstr(budget.message, "at 1/4 of its size: this device has little memory"));
    budget = judge_with_memory(honest, 10);
    CU_ASSERT(budget.value > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(budget.message, "at 1/4096 of its size"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(medians_ignore_single_slow_runs),
    SUPPORT_TEST(intervals_hold_the_truth_as_often_as_they_say),
    SUPPORT_TEST(verdict_needs_an_interval_clear_of_the_bound),
    SUPPORT_TEST(clocks_that_drift_change_no_ratio),
    SUPPORT_TEST(clocks_that_jump_within_pairs_leave_it_open),
    SUPPORT_TEST_OF(host, times_an_honest_kernel),
    SUPPORT_TEST_OF(host, short_times_are_means_of_several_runs),
    SUPPORT_TEST_OF(host, does_not_measure_again_what_takes_for_ever),
    SUPPORT_TEST_OF(host, takes_a_smaller_case_where_memory_is_short),
    SUPPORT_TEST(gives_nothing_to_a_kernel_that_remembers_its_first_result),
    SUPPORT_TEST(gives_nothing_to_a_kernel_that_works_only_when_it_is_compared),
};

int timing_suite_register(void)
{
    return support_register("timing", tests, SUPPORT_COUNT(tests));
}
