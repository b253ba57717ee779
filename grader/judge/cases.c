#include "grader/judge/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/judge/cases_collect.h"
#include "grader/judge/cases_schedules.h"
#include "grader/judge/cases_work.h"
#include "grader/judge/repair.h"
#include "grader/result/diagnose.h"

/* How long further cases are run after one that did not finish. */
#define PATIENCE_MS 5000

void cases_list(const struct lab *lab, struct result_lab *result)
{
    result->tests = allocate_zeroed((size_t)lab->case_count * sizeof *result->tests);
    result->test_count = lab->case_count;
    for (int i = 0; i < lab->case_count; i++) {
        struct result_test *test = &result->tests[i];
        snprintf(test->name, sizeof test->name, "%s", lab->cases[i].name);
        test->purpose = lab->cases[i].purpose;
        test->hidden = lab->cases[i].hidden;
        test->state = RESULT_SKIPPED;
        /* Whole points that add up to the lab's. */
        test->max_score = lab->points * (i + 1) / lab->case_count - lab->points * i / lab->case_count;
    }
}

/* ---- one case ----------------------------------------------------------------------------------------------------- */

static void judge_case(struct cases_work *work, int index, struct case_size *size, struct tally *tally)
{
    const struct lab_case *the_case = &work->input->setup.lab->cases[index];
    struct result_test *test = &work->result->tests[index];
    struct result_findings fresh;
    bool right[2] = {false, false};
    test->state = RESULT_PASS;
    int runs = cases_work_runs(work, index);
    for (int run_index = 0; run_index < runs; run_index++) {
        struct lab_data data;
        struct verify_run run;
        struct run_reply reply;
        cases_work_run(work, index, run_index, run_index == runs - 1, &data, &run, &reply);
        bool counts = the_case->budget && run_index == 0 && reply.outcome == RUN_RAN;
        cases_collect(work, &reply, !the_case->hidden, counts ? tally : NULL, &fresh);
        cases_merge_findings(test, &fresh);
        free(fresh.list);
        run.first_right = right[0];
        verify_outcome(&run, &reply, test);
        size->blocks = reply.max_blocks;
        size->threads = reply.max_threads;
        size->ran = reply.outcome == RUN_RAN;
        if (!size->ran)
            break;
        right[run_index] = verify_outputs(&run, &reply, test);
    }
}

/* ---- all cases ---------------------------------------------------------------------------------------------------- */

/* A harness failure or a module that the device does not take would only repeat itself; and a kernel that does not finish is
 * not waited for all day. */
static bool is_hopeless(const struct cases_work *work, const struct result_test *test)
{
    if (work->ran_out && record_now_ms() - work->ran_out_ms > PATIENCE_MS)
        return true;

    for (size_t i = 0; i < test->findings.count; i++)
        if (strcmp(test->findings.list[i].code, "compile") == 0)
            return true;
    return test->state == RESULT_HARNESS_ERROR;
}

/* A case that is not run, because an earlier one said enough. */
static void give_up(struct result_test *test, const struct result_test *before)
{
    test->state = before->state;
    if (before->state == RESULT_FAIL)
        snprintf(test->message, sizeof test->message, "not run: the cases before it took too long");
}

void cases_judge(const struct cases_input *input, struct result_lab *result, struct tally *tally)
{
    struct cases_work work;
    const struct lab *lab = input->setup.lab;
    struct case_size *sizes = allocate_zeroed((size_t)lab->case_count * sizeof *sizes);
    memset(tally, 0, sizeof *tally);
    if (!cases_work_begin(&work, input, result)) {
        result->tests[0].state = RESULT_HARNESS_ERROR;
        snprintf(result->tests[0].message, sizeof result->tests[0].message, "not enough memory for the lab's arrays");
        free(sizes);
        return;
    }
    bool hopeless = false;
    for (int i = 0; i < lab->case_count; i++) {
        if (!hopeless)
            judge_case(&work, i, &sizes[i], tally);
        else
            give_up(&result->tests[i], &result->tests[i - 1]);
        hopeless = hopeless || is_hopeless(&work, &result->tests[i]);
    }
    if (!hopeless && !work.ran_out)
        cases_judge_schedules(&work, sizes);
    for (int i = 0; i < lab->case_count; i++)
        diagnose_sort(&result->tests[i].findings);
    repair_find(&work);
    if (result_all_pass(result)) /* only a program that is right can be said to be right without a barrier */
        barriers_report(&work.barriers, input->file, &result->notes);
    cases_work_end(&work);
    free(sizes);
}

void cases_count(const struct cases_input *input, struct tally *tally, char *message, size_t message_bytes)
{
    struct cases_work work;
    struct result_lab unused = {0};
    int index = cases_find_budget(input->setup.lab);
    memset(tally, 0, sizeof *tally);
    if (index < 0 || !cases_work_begin(&work, input, &unused))
        return;
    work.checks = "memory"; /* counters are the same at every level of checks */
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    cases_work_run(&work, index, 0, true, &data, &run, &reply);
    struct result_findings fresh;
    cases_collect(&work, &reply, false, reply.outcome == RUN_RAN ? tally : NULL, &fresh);
    free(fresh.list);
    if (reply.outcome != RUN_RAN)
        snprintf(message, message_bytes, "%s", reply.message);
    cases_work_end(&work);
}
