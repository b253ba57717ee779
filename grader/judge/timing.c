#include "grader/judge/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/judge/budget.h"
#include "grader/lab/fit.h"

enum {
    MAX_PAIRS = 12 * RUN_TIMING_PAIRS,
    ENOUGH_PAIRS = 3 * RUN_TIMING_PAIRS, /* when the verdict is clear and the ratio is known to a few percent */
};

/* The measurement ends when it has taken this long, or this long without a clear verdict. */
#define CLEAR_MS   600
#define UNCLEAR_MS 4000

/* An interval wider than this share of the ratio tells too little for points between the bounds. */
static const double narrow = 0.1;

/* What must come from memory cannot come faster than a copy does, give or take how well that was measured. */
static const double floor_share = 0.9;

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

struct timing_ratio timing_summarise(const float *student_ms, const float *reference_ms, int count)
{
    double *values = allocate_zeroed((size_t)count * sizeof *values);
    struct timing_ratio result;
    for (int i = 0; i < count; i++)
        values[i] = (double)student_ms[i];
    result.student_ms = median(values, count);
    for (int i = 0; i < count; i++)
        values[i] = (double)reference_ms[i];
    result.reference_ms = median(values, count);
    for (int i = 0; i < count; i++)
        values[i] = (double)student_ms[i] / (double)reference_ms[i];
    result.ratio = median(values, count);
    int spread = (int)ceil(0.98 * sqrt(count));
    result.low = values[count / 2 > spread ? count / 2 - spread : 0];
    result.high = values[count / 2 + spread < count ? count / 2 + spread : count - 1];
    free(values);
    return result;
}

enum result_state timing_verdict(const struct timing_ratio *ratio, double full_at)
{
    if (ratio->high <= full_at)
        return RESULT_PASS;
    if (ratio->low > full_at && ratio->high - ratio->low <= narrow * ratio->ratio)
        return RESULT_FAIL;
    return RESULT_INCONCLUSIVE;
}

/* ---- what is measured --------------------------------------------------------------------------------------------- */

struct measurement {
    float student_ms[MAX_PAIRS], reference_ms[MAX_PAIRS];
    int pairs;
    int repeats; /* runs whose mean is one time */
    bool slow;   /* there is one pair: more would take too long */
    double copy_bytes_per_ms;
    struct timing_ratio ratio;
    struct verify_run runs[2]; /* the verified ones, for timed runs that left something else */
    struct lab_data data[2];
    char message[512]; /* why there is no time */
    bool wrong;        /* … because a result is wrong */
};

static void set_message(struct measurement *found, bool wrong, const char *message)
{
    found->wrong = wrong;
    snprintf(found->message, sizeof found->message, "%.500s", message);
}

/* The two sets of inputs, each run and compared as any case is. */
static bool verify_sets(struct cases_work *work, struct measurement *found)
{
    int index = work->input->setup.lab->case_count;
    for (int set = 0; set < 2; set++) {
        struct result_test test = {.state = RESULT_PASS};
        struct run_reply reply;
        cases_work_run(work, index, set, set == 1, &found->data[set], &found->runs[set], &reply);
        found->runs[set].first = NULL;
        verify_outcome(&found->runs[set], &reply, &test);
        if (reply.outcome == RUN_RAN)
            verify_outputs(&found->runs[set], &reply, &test);
        if (test.state != RESULT_PASS || test.findings.count > 0)
            set_message(found, test.state == RESULT_FAIL || test.state == RESULT_ERROR,
                        test.findings.count > 0   ? test.findings.list[0].message
                        : test.message[0] != '\0' ? test.message
                                                  : reply.message);
        free(test.findings.list);
        if (work->open && !work->session.alive)
            cases_work_close_session(work);
        if (found->message[0] != '\0')
            return false;
    }
    return work->open;
}

/* A timed run left something else than the verified one: sums of floats may differ by rounding, results may not. */
static bool is_right(const struct run_timing *timing, struct measurement *found)
{
    return verify_present_are_right(&found->runs[timing->set], timing->outputs);
}

static bool is_enough(const struct measurement *found, double full_at, int64_t elapsed_ms)
{
    bool clear = found->pairs >= RUN_TIMING_PAIRS && timing_verdict(&found->ratio, full_at) != RESULT_INCONCLUSIVE;
    if (found->pairs + RUN_TIMING_PAIRS > MAX_PAIRS || elapsed_ms > UNCLEAR_MS)
        return true;
    return clear && (found->pairs >= ENOUGH_PAIRS || elapsed_ms > CLEAR_MS);
}

static void measure(struct cases_work *work, const struct run_settings *reference, double full_at, struct measurement *found)
{
    struct run_timing *timing = allocate_zeroed(sizeof *timing);
    int64_t start_ms = record_now_ms();
    while (!is_enough(found, full_at, record_now_ms() - start_ms)) {
        run_step_time(&work->session, reference, timing);
        if (!timing->measured) {
            set_message(found, false, timing->message);
            break;
        }
        if (timing->differs && !is_right(timing, found)) {
            set_message(
                found, true,
                "a timed run gave a wrong result, though the runs before it were right: does it depend on what an earlier "
                "launch left behind?");
            break;
        }
        found->repeats = timing->repeats;
        found->copy_bytes_per_ms = timing->copy_bytes_per_ms;
        if (timing->slow && timing->pairs == 1) {
            double ratio = (double)timing->student_ms[0] / (double)timing->reference_ms[0];
            found->slow = true;
            found->ratio = (struct timing_ratio){(double)timing->student_ms[0], (double)timing->reference_ms[0], ratio,
                                                 ratio, ratio};
            break;
        }
        memcpy(&found->student_ms[found->pairs], timing->student_ms, (size_t)timing->pairs * sizeof(float));
        memcpy(&found->reference_ms[found->pairs], timing->reference_ms, (size_t)timing->pairs * sizeof(float));
        found->pairs += timing->pairs;
        if (found->pairs > 0)
            found->ratio = timing_summarise(found->student_ms, found->reference_ms, found->pairs);
    }
    if (found->message[0] == '\0' && !found->slow && found->pairs < RUN_TIMING_PAIRS)
        set_message(found, false, "too few runs could be timed: each of them left a different result");
    free(timing);
}

/* ---- the verdict -------------------------------------------------------------------------------------------------- */

/* What the median means: bandwidth beside a copy's, or operations. */
static void describe(const struct lab *lab, const struct lab_case *the_case, const struct measurement *found,
                     struct result_budget *budget)
{
    double bytes = 0, operations = 0, ms = found->ratio.student_ms;
    lab->work(lab, the_case, &bytes, &operations);
    if (operations > 8 * bytes)
        snprintf(budget->message, sizeof budget->message, "%s: %.2f TFLOP/s", the_case->name, operations / ms / 1e9);
    else if (bytes > 0)
        snprintf(budget->message, sizeof budget->message, "%s: %.0f GB/s, %.0f %% of what a copy reaches here",
                 the_case->name, bytes / ms / 1e6, 100 * bytes / ms / found->copy_bytes_per_ms);
    size_t used = strlen(budget->message);
    if (found->slow)
        snprintf(budget->message + used, sizeof budget->message - used, "%sso slow that it was not measured again",
                 used > 0 ? "; " : "");
    else if (found->repeats > 1)
        snprintf(budget->message + used, sizeof budget->message - used, "%seach time is the mean of %d runs",
                 used > 0 ? "; " : "", found->repeats);
}

/* Shorter than reading what does not fit into the level-2 cache: no honest kernel is. */
static bool is_impossible(const struct lab *lab, const struct lab_case *the_case, const struct measurement *found,
                          const lockstep_device_info *device)
{
    double bytes = 0, operations = 0;
    lab->work(lab, the_case, &bytes, &operations);
    return found->ratio.student_ms * found->copy_bytes_per_ms < floor_share * (bytes - 2.0 * device->l2_bytes);
}

static void judge(const struct lab *lab, const struct lab_case *the_case, const struct measurement *found,
                  const lockstep_device_info *device, struct result_budget *budget)
{
    budget->value = found->ratio.student_ms;
    budget->reference = found->ratio.reference_ms;
    budget->ratio = found->ratio.ratio;
    budget->low = found->ratio.low;
    budget->high = found->ratio.high;
    budget->state = timing_verdict(&found->ratio, lab->time.full_at);
    describe(lab, the_case, found, budget);
    if (is_impossible(lab, the_case, found, device)) {
        budget->state = RESULT_FAIL;
        snprintf(budget->message, sizeof budget->message,
                 "%.4f ms is less than it takes to read the arrays once: what was left out?", found->ratio.student_ms);
    } else if (budget->state == RESULT_PASS) {
        budget->score = lab->time.points;
    } else if (budget->state == RESULT_FAIL) {
        budget->score = budget_points(found->ratio.low, lab->time.full_at, lab->time.zero_at, lab->time.points);
    }
    budget->max_score = budget->state == RESULT_INCONCLUSIVE ? 0 : lab->time.points;
}

void timing_judge(struct cases_work *work, const struct cases_input *reference, struct result_lab *result)
{
    const struct lab *lab = work->input->setup.lab;
    struct result_budget *budget = &result->budgets[result->budget_count++];
    struct measurement *found = allocate_zeroed(sizeof *found);
    struct run_settings other = {.plan = reference->setup, .ptx = reference->ptx, .ptx_bytes = reference->ptx_bytes};
    struct lab_case *the_case = &work->settings.plan.timing_case;
    *budget = (struct result_budget){
        .track = "time",
        .metric = "milliseconds",
        .title = "time on the GPU",
        .value = NAN,
        .reference = NAN,
        .ideal = NAN,
        .ratio = NAN,
        .low = NAN,
        .high = NAN,
        .full_at = lab->time.full_at,
        .zero_at = lab->time.zero_at,
        .state = RESULT_SKIPPED,
        .why = "your kernels and the reference solution in turn, with other inputs each time and the level-2 cache emptied "
               "before each run",
    };
    int halvings = fit_case(lab, the_case, FIT_TIMING, work->session.device.free_memory_bytes);
    if (halvings > 0)
        cases_work_close_session(work); /* the child has the case as it was */
    other.plan.timing_case = *the_case;
    if (verify_sets(work, found))
        measure(work, &other, lab->time.full_at, found);
    if (found->message[0] == '\0') {
        judge(lab, the_case, found, &result->device, budget);
    } else {
        budget->state = found->wrong ? RESULT_FAIL : RESULT_SKIPPED;
        budget->max_score = found->wrong ? lab->time.points : 0;
        snprintf(budget->message, sizeof budget->message, "%.250s", found->message);
    }
    fit_describe(halvings, 0, false, false, budget->message, sizeof budget->message);
    result->max_score += budget->max_score;
    free(found);
}
