#include "grader/judge/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_collect.h"
#include "grader/judge/cases_estimate.h"
#include "grader/judge/cases_schedules.h"
#include "grader/judge/cases_work.h"
#include "grader/judge/origin.h"
#include "grader/judge/repair.h"
#include "grader/judge/story.h"
#include "grader/result/diagnose.h"

const char cases_not_run[] = "not run: the tests before it used up the work that a submission may cost";

int cases_points(const struct lab *lab, int index, int count)
{
    return lab->points * (index + 1) / count - lab->points * index / count;
}

void cases_list(const struct lab *lab, int count, struct result_lab *result)
{
    result->tests = allocate_zeroed((size_t)lab->case_count * sizeof *result->tests);
    result->test_count = lab->case_count;
    for (int i = 0; i < lab->case_count; i++) {
        struct result_test *test = &result->tests[i];
        snprintf(test->name, sizeof test->name, "%s", lab->cases[i].name);
        test->purpose = lab->cases[i].purpose;
        test->hidden = lab->cases[i].hidden;
        test->state = RESULT_SKIPPED;
        test->max_score = cases_points(lab, i, count);
    }
}

/* A case that costs more than this in its first run gets no second one, and less is enough where it has failed. */
#define LONG_WORK        50000000
#define LONG_FAILED_WORK 2000000

/* ---- one case ----------------------------------------------------------------------------------------------------- */

static void judge_case(struct cases_work *work, int index, struct case_size *size, struct tally tally[CASES_RUNS])
{
    const struct lab_case *the_case = &work->input->setup.lab->cases[index];
    struct result_test *test = &work->result->tests[index];
    struct result_findings fresh;
    bool right[CASES_RUNS] = {false, false};
    test->state = RESULT_PASS;
    int runs = cases_work_runs(work, index);
    for (int run_index = 0; run_index < runs; run_index++) {
        struct lab_data data;
        struct verify_run run;
        struct run_reply reply;
        cases_work_run(work, index, run_index, run_index == runs - 1, &data, &run, &reply);
        bool counts = the_case->budget && reply.outcome == RUN_RAN;
        cases_collect(work, &reply, !the_case->hidden, counts ? &tally[run_index] : NULL, &fresh);
        cases_merge_findings(test, &fresh);
        free(fresh.list);
        run.first_right = right[0];
        verify_outcome(&run, &reply, test);
        size->blocks = reply.max_blocks;
        size->threads = reply.max_threads;
        size->ran = reply.outcome == RUN_RAN;
        size->work = run_index == 0 ? reply.work : size->work;
        if (!size->ran)
            break;
        right[run_index] = verify_outputs(&run, &reply, test);
        /* The second run looks for what the first left behind; small cases show that as well. */
        bool wanted = the_case->budget && test->state == RESULT_PASS; /* both runs are counted */
        if (!wanted && reply.work > (test->state == RESULT_PASS ? LONG_WORK : LONG_FAILED_WORK))
            break;
    }
}

/* ---- all cases ---------------------------------------------------------------------------------------------------- */

/* A harness failure or a module that the device does not take would only repeat itself; and what a submission may cost has
 * an end. */
static bool is_hopeless(const struct cases_work *work, const struct result_test *test)
{
    if (cases_work_left(work) == 0)
        return true;
    return result_findings_have(&test->findings, "compile") || test->state == RESULT_HARNESS_ERROR;
}

/* A case that is not run, because an earlier one said enough. */
static void give_up(struct result_test *test, const struct result_test *before)
{
    test->state = before ? before->state : RESULT_FAIL;
    if (test->state == RESULT_PASS) /* the last that there was work for */
        test->state = RESULT_FAIL;
    if (test->state == RESULT_FAIL)
        snprintf(test->message, sizeof test->message, "%s", cases_not_run);
}

void cases_judge(const struct cases_input *input, struct result_lab *result, struct cases_effort *effort,
                 struct tally tally[CASES_RUNS], struct barriers *barriers)
{
    struct cases_work work;
    const struct lab *lab = input->setup.lab;
    struct case_size *sizes = allocate_zeroed((size_t)lab->case_count * sizeof *sizes);
    if (tally)
        memset(tally, 0, CASES_RUNS * sizeof *tally);
    memset(barriers, 0, sizeof *barriers);
    if (!cases_work_begin(&work, input, result)) {
        result->tests[0].state = RESULT_HARNESS_ERROR;
        snprintf(result->tests[0].message, sizeof result->tests[0].message, "not enough memory for the lab's arrays");
        free(sizes);
        return;
    }
    work.effort = *effort;
    bool hopeless = cases_work_left(&work) == 0;
    for (int i = 0; i < lab->case_count; i++) {
        if (!hopeless)
            judge_case(&work, i, &sizes[i], tally);
        else
            give_up(&result->tests[i], i > 0 ? &result->tests[i - 1] : NULL);
        hopeless = hopeless || is_hopeless(&work, &result->tests[i]);
    }
    if (!hopeless && !work.effort.ran_out)
        cases_judge_schedules(&work, sizes);
    for (int i = 0; i < lab->case_count; i++)
        diagnose_sort(&result->tests[i].findings);
    if (tally) { /* of the hidden tests nothing is said */
        story_tell(&input->setup, input->file, result);
        origin_find(&work);
        repair_find(&work);
    }
    *effort = work.effort;
    *barriers = work.barriers;
    bool right = result_all_pass(result);
    cases_work_end(&work);
    free(sizes);
    if (right && tally)
        cases_estimate(input, &tally->estimate);
}

void cases_count(const struct cases_input *input, struct tally tally[CASES_RUNS], char *message, size_t message_bytes)
{
    struct cases_work work;
    struct result_lab unused = {0};
    int index = cases_find_budget(input->setup.lab);
    memset(tally, 0, CASES_RUNS * sizeof *tally);
    if (index < 0 || !cases_work_begin(&work, input, &unused))
        return;
    work.checks = "memory"; /* counters are the same at every level of checks */
    struct run_reply reply = {.outcome = RUN_RAN};
    for (int run_index = 0; run_index < CASES_RUNS && reply.outcome == RUN_RAN; run_index++) {
        struct lab_data data;
        struct verify_run run;
        struct result_findings fresh;
        cases_work_run(&work, index, run_index, run_index == CASES_RUNS - 1, &data, &run, &reply);
        cases_collect(&work, &reply, false, reply.outcome == RUN_RAN ? &tally[run_index] : NULL, &fresh);
        free(fresh.list);
    }
    if (reply.outcome != RUN_RAN)
        snprintf(message, message_bytes, "%s", reply.message);
    bool ran = reply.outcome == RUN_RAN;
    cases_work_end(&work);
    if (ran)
        cases_estimate(input, &tally->estimate);
}
