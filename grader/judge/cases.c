#include "grader/judge/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_collect.h"
#include "grader/judge/cases_estimate.h"
#include "grader/judge/cases_schedules.h"
#include "grader/judge/cases_show.h"
#include "grader/judge/cases_work.h"
#include "grader/judge/origin.h"
#include "grader/judge/repair.h"
#include "grader/judge/story.h"
#include "grader/judge/unset.h"
#include "grader/judge/unwritten.h"
#include "grader/lab/describe/guard.h"
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

/* What a case has cost with all checks, it costs less with those of a larger case: it is run once more, with these. Returns
 * the units, or `before`, those of its first run, where nothing is learnt. */
static uint64_t measure_again(struct cases_work *work, int index, int larger, uint64_t before)
{
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    struct result_findings ignored;
    const char *checks = work->checks;
    const struct barriers barriers = work->barriers; /* this run shows nothing of them */
    bool ran_out = work->effort.ran_out;
    work->checks = cases_work_checks(work, larger);
    cases_work_run(work, index, 0, true, &data, &run, &reply);
    cases_collect(work, &reply, NULL, NULL, &ignored);
    free(ignored.list);
    work->checks = checks;
    work->barriers = barriers;
    work->effort.ran_out = ran_out;
    return reply.outcome == RUN_RAN && reply.work > 0 && reply.work < before ? reply.work : before;
}

/* A kernel may be right and slow: what a case would cost is foreseen from those before it, and one that would take too long
 * is made smaller. Work grows with the elements at least, and from a case half as large one sees by how much more. */
static void make_smaller(struct cases_work *work, int index, const struct case_size *sizes)
{
    enum { MOST_HALVINGS = 24 };
    struct result_test *test = &work->result->tests[index];
    const struct case_size *last = NULL, *before = NULL;
    for (int i = 0; i < index; i++)
        if (sizes[i].ran && sizes[i].elements > CASES_SMALL / 4 && (!last || sizes[i].elements > last->elements))
            last = &sizes[i];
    for (int i = 0; i < index; i++)
        if (last && sizes[i].ran && 2 * sizes[i].elements <= last->elements
            && (!before || sizes[i].elements > before->elements))
            before = &sizes[i];
    if (!last || !before || before->work == 0 || before->elements == 0)
        return;
    double power = log((double)last->work / (double)before->work) / log((double)last->elements / (double)before->elements);
    power = power < 1 ? 1 : power > 2 ? 2 : power;
    uint64_t may = cases_work_of_run(work, index), whole = cases_work_whole(work, index);
    const double growth = pow((double)cases_work_elements(work, index) / (double)last->elements, power);
    double cost = (double)last->work;
    if (cost * growth > (double)may / 2 && cases_work_checks_less(work, index, last->elements))
        cost = (double)measure_again(work, (int)(last - sizes), index, last->work);
    double needs = cost * growth;
    test->left_little = may < whole && (work->effort.ran_out || needs <= (double)whole / 2);
    for (; test->slow_halvings < MOST_HALVINGS; test->slow_halvings++) {
        double elements = (double)cases_work_elements(work, index);
        double known = cases_work_checks_less(work, index, last->elements) ? cost : (double)last->work;
        double foreseen = known * pow(elements / (double)last->elements, power);
        if (elements <= CASES_SMALL || elements <= (double)last->elements
            || foreseen <= (double)cases_work_of_run(work, index) / 2)
            break;
    }
}

/* The finding of a run that was stopped because it cost too much work; NULL: there is none. */
static struct result_finding *find_stopped(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].code, "fuel") == 0 && strcmp(findings->list[i].pattern, "work") == 0)
            return &findings->list[i];
    return NULL;
}

/* The run was stopped, and nothing but its work is against it. Then a smaller case is tried, as long as there is one. Returns
 * false when there is none. */
static bool try_smaller(struct cases_work *work, int index, const struct result_findings *fresh)
{
    enum { TIMES = 4 }; /* a sixteenth */
    struct result_test *test = &work->result->tests[index];
    if (!find_stopped(fresh) || fresh->count > 1 || test->findings.count > 0 || cases_work_left(work) == 0
        || cases_work_elements(work, index) <= CASES_SMALL)
        return false;
    test->left_little = test->slow_halvings == 0 ? cases_work_was_short(work, index) : test->left_little;
    test->slow_halvings += TIMES;
    return true;
}

/* A run that had less to spend than it deserves, because others had cost so much, and was stopped: nothing is known. */
static bool was_cut_short(const struct cases_work *work, int index, const struct result_test *test,
                          const struct result_findings *fresh)
{
    return find_stopped(fresh) && fresh->count == 1 && test->findings.count == 0 && cases_work_was_short(work, index);
}

static void leave_out(struct result_test *test)
{
    test->state = RESULT_FAIL;
    test->not_run = true;
    test->slow_halvings = 0;
    test->left_little = false;
    snprintf(test->message, sizeof test->message, "%s", cases_not_run);
}

/* Of a kernel that does not always finish, a part of a case that came out right says nothing of the whole. */
static void leave_out_parts(struct result_lab *result)
{
    for (int i = 0; i < result->test_count; i++) {
        struct result_test *test = &result->tests[i];
        if (test->state != RESULT_PASS || test->slow_halvings == 0)
            continue;
        leave_out(test);
        test->left_little = true;
        snprintf(test->message, sizeof test->message,
                 "not run whole: a part of it came out right, but other tests did not finish");
    }
}

/* Which of the two runs a reader is shown: the first, or the second where only that one went wrong. */
static void keep_shown(struct cases_work *work, const struct verify_run *run, const struct run_reply *reply,
                       bool passed_before, struct result_printed *printed, struct result_test *test)
{
    bool shown = run->run == 0 || (passed_before && test->state != RESULT_PASS);
    bool prints = shown || (!test->printed.text && !work->input->show);
    if (prints) {
        free(test->printed.text);
        test->printed = *printed;
    } else {
        free(printed->text);
    }
    if (shown && work->input->show)
        cases_show_take(work->input->show, run, reply);
}

static void judge_case(struct cases_work *work, int index, struct case_size *sizes, struct tally tally[CASES_RUNS])
{
    const struct lab_case *the_case = &work->input->setup.lab->cases[index];
    struct result_test *test = &work->result->tests[index];
    struct case_size *size = &sizes[index];
    struct result_findings fresh;
    bool right[CASES_RUNS] = {false, false};
    test->state = RESULT_PASS;
    make_smaller(work, index, sizes);
    int runs = cases_work_runs(work, index);
    for (int run_index = 0; run_index < runs; run_index++) {
        struct lab_data data;
        struct verify_run run;
        struct run_reply reply;
        cases_work_run(work, index, run_index, run_index == runs - 1, &data, &run, &reply);
        if (guard_fault(work->input->setup.lab)) { /* then there is nothing to compare with */
            test->state = RESULT_HARNESS_ERROR;
            return;
        }
        bool counts = the_case->budget && reply.outcome == RUN_RAN;
        struct result_printed printed = {0};
        bool passed_before = test->state == RESULT_PASS;
        cases_collect(work, &reply, the_case->hidden ? NULL : &printed, counts ? &tally[run_index] : NULL, &fresh);
        bool short_of_work = was_cut_short(work, index, test, &fresh);
        if (run_index == 0 && try_smaller(work, index, &fresh)) {
            run_index = -1;
            free(printed.text);
            free(fresh.list);
            continue;
        }
        if (short_of_work) {
            leave_out(test);
            free(printed.text);
            free(fresh.list);
            return;
        }
        cases_merge_findings(test, &fresh);
        free(fresh.list);
        run.first_right = right[0];
        verify_outcome(&run, &reply, test);
        size->blocks = reply.max_blocks;
        size->threads = reply.max_threads;
        size->ran = reply.outcome == RUN_RAN;
        right[run_index] = size->ran && verify_outputs(&run, &reply, test);
        keep_shown(work, &run, &reply, passed_before, &printed, test);
        size->work = run_index == 0 ? reply.work : size->work;
        size->elements = cases_work_elements(work, index);
        if (reply.outcome == RUN_FAULT)
            verify_handed_over(&run, &reply, test);
        if (!size->ran)
            break;
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
    if (!before || before->state == RESULT_FAIL || before->state == RESULT_PASS) /* the last that there was work for */
        leave_out(test);
    else
        test->state = before->state;
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
            judge_case(&work, i, sizes, tally);
        else
            give_up(&result->tests[i], i > 0 ? &result->tests[i - 1] : NULL);
        hopeless = hopeless || is_hopeless(&work, &result->tests[i]);
    }
    if (work.effort.ran_out)
        leave_out_parts(result);
    if (!hopeless && !work.effort.ran_out && !guard_fault(lab))
        cases_judge_schedules(&work, sizes);
    for (int i = 0; i < lab->case_count; i++)
        diagnose_sort(&result->tests[i].findings);
    if (tally && !guard_fault(lab)) { /* the report says nothing of the hidden tests */
        story_tell(&input->setup, input->file, result);
        unwritten_tell(&work);
        unset_tell(&work);
        origin_find(&work);
        story_tell_measured(&input->setup, result);
        repair_find(&work);
    }
    *effort = work.effort;
    *barriers = work.barriers;
    bool right = result_all_pass(result);
    cases_work_end(&work);
    free(sizes);
    if (right && tally && !input->show)
        cases_estimate(input, &tally->estimate);
}

/* Counts the runs of the budget case under a schedule; NULL: the usual one. Returns whether they ended well; if a run did not,
 * message says why. */
static bool count(const struct cases_input *input, const char *schedule, struct tally tally[CASES_RUNS], char *message,
                  size_t message_bytes)
{
    struct cases_work work;
    struct result_lab unused = {0};
    int index = cases_find_budget(input->setup.lab);
    memset(tally, 0, CASES_RUNS * sizeof *tally);
    if (index < 0 || !cases_work_begin(&work, input, &unused))
        return false;
    work.checks = "memory"; /* counters are the same at every level of checks */
    if (schedule)
        work.settings.schedule = schedule;
    struct run_reply reply = {.outcome = RUN_RAN};
    for (int run_index = 0; run_index < CASES_RUNS && reply.outcome == RUN_RAN; run_index++) {
        struct lab_data data;
        struct verify_run run;
        struct result_findings fresh;
        cases_work_run(&work, index, run_index, run_index == CASES_RUNS - 1, &data, &run, &reply);
        cases_collect(&work, &reply, NULL, reply.outcome == RUN_RAN ? &tally[run_index] : NULL, &fresh);
        free(fresh.list);
    }
    if (reply.outcome != RUN_RAN)
        snprintf(message, message_bytes, "%s", reply.message);
    bool ran = reply.outcome == RUN_RAN;
    cases_work_end(&work);
    return ran;
}

bool cases_count_in_turns(const struct cases_input *input, struct tally tally[CASES_RUNS])
{
    char message[sizeof(((struct run_reply *)NULL)->message)];
    return count(input, "interleaved", tally, message, sizeof message);
}

void cases_count(const struct cases_input *input, struct tally tally[CASES_RUNS], char *message, size_t message_bytes)
{
    if (count(input, NULL, tally, message, message_bytes))
        cases_estimate(input, &tally->estimate);
}
