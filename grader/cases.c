#include "grader/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/allocate.h"
#include "grader/cases_work.h"
#include "grader/diagnose.h"
#include "grader/findings.h"
#include "grader/record.h"

/* What kernels printed is kept up to this size, the rest is counted. */
#define PRINTED_BYTES (64u << 10)
#define FINDINGS_BYTES (8u << 20)
#define COUNTERS_BYTES (64u << 20)

/* How long further cases are run after one that did not come to an end. */
#define PATIENCE_MS 5000

/* Cases up to this many threads are run under every schedule. */
#define SCHEDULE_THREADS 4096

static const char *const other_schedules[] = {"descending", "blocks-reverse"};
static const char *const schedule_words[] = {"warps in falling order", "blocks in reverse order"};
enum { OTHER_SCHEDULES = sizeof(other_schedules) / sizeof(*other_schedules) };

/* How large a case turned out to be, and whether it may be run again. */
struct case_size {
    uint64_t blocks, threads;
    bool ran;
};

void cases_list(const struct lab *lab, struct result_lab *result)
{
    result->tests = allocate_zeroed((size_t)lab->case_count * sizeof(*result->tests));
    result->test_count = lab->case_count;
    for (int i = 0; i < lab->case_count; i++) {
        struct result_test *test = &result->tests[i];
        snprintf(test->name, sizeof(test->name), "%s", lab->cases[i].name);
        test->purpose = lab->cases[i].purpose;
        test->hidden = lab->cases[i].hidden;
        test->state = RESULT_SKIPPED;
        /* Whole points that add up to the lab's. */
        test->max_score = lab->points * (i + 1) / lab->case_count - lab->points * i / lab->case_count;
    }
}

int cases_find_budget(const struct lab *lab)
{
    for (int i = 0; i < lab->case_count; i++)
        if (lab->cases[i].budget)
            return i;
    return -1;
}

/* ---- what the driver and the kernels left behind -------------------------------------------------------------------- */

/* Adds findings that the test does not have yet: the second run and other schedules say the same again. */
static void merge_findings(struct result_test *test, const struct result_findings *fresh)
{
    struct result_findings before = test->findings;
    for (size_t i = 0; i < fresh->count; i++) {
        size_t old_count = test->findings.count;
        struct result_finding *added = result_findings_add(&test->findings, &fresh->list[i]);
        if (test->findings.count == old_count && (size_t)(added - test->findings.list) < before.count)
            added->count -= fresh->list[i].count;
    }
}

static void read_findings(struct cases_work *work, struct result_test *test)
{
    uint64_t bytes;
    struct result_findings fresh = {0};
    char *text = child_file_read(work->session.child.findings, FINDINGS_BYTES, &bytes);
    findings_read(text, bytes, &work->input->setup, work->input->file, &fresh);
    merge_findings(test, &fresh);
    child_file_clear(work->session.child.findings);
    free(fresh.list);
    free(text);
}

static void read_printed(struct cases_work *work)
{
    struct result_lab *result = work->result;
    uint64_t total = child_file_bytes(work->session.child.output), bytes;
    if (total == 0)
        return;
    if (result->printed == NULL)
        result->printed = allocate_zeroed(PRINTED_BYTES + 1);
    size_t kept = strlen(result->printed);
    char *text = child_file_read(work->session.child.output, PRINTED_BYTES - kept, &bytes);
    for (uint64_t i = 0; i < bytes; i++)   /* a NUL printed by the student must not hide the rest */
        result->printed[kept + i] = text[i] != '\0' ? text[i] : ' ';
    result->printed_bytes += total;
    child_file_clear(work->session.child.output);
    free(text);
}

static void read_counters(struct cases_work *work, struct tally *tally)
{
    uint64_t bytes;
    if (tally != NULL) {
        char *text = child_file_read(work->session.child.counters, COUNTERS_BYTES, &bytes);
        tally_read(text, bytes, tally);
        free(text);
    }
    child_file_clear(work->session.child.counters);
}

static bool has_run_out(const struct result_test *test)
{
    /* A barrier that some threads never reach may mean that they spin for ever. */
    static const char *const codes[] = {"fuel", "deadlock", "barrier_divergent"};
    for (size_t i = 0; i < test->findings.count; i++)
        for (size_t k = 0; k < sizeof(codes) / sizeof(*codes); k++)
            if (strcmp(test->findings.list[i].code, codes[k]) == 0)
                return true;
    return false;
}

/* After every run: what is left in the files, and whether the session can go on. */
static void collect(struct cases_work *work, const struct run_reply *reply, struct result_test *test, struct tally *tally)
{
    if (!work->open)
        return;
    if (work->session.alive) {
        work->result->device = work->session.device;
        work->result->has_device = true;
    }
    read_findings(work, test);
    read_printed(work);
    read_counters(work, tally);
    if (!work->ran_out && (has_run_out(test) || reply->outcome == RUN_HUNG)) {
        work->ran_out = true;
        work->ran_out_ms = record_now_ms();
    }
    if (!work->session.alive)
        cases_work_close_session(work);
}

/* ---- one case ----------------------------------------------------------------------------------------------------- */

static void judge_case(struct cases_work *work, int index, struct case_size *size, struct tally *tally)
{
    const struct lab_case *the_case = &work->input->setup.lab->cases[index];
    struct result_test *test = &work->result->tests[index];
    bool right[2] = {false, false};
    test->state = RESULT_PASS;
    int runs = cases_work_runs(work, index);
    for (int run_index = 0; run_index < runs; run_index++) {
        struct lab_data data;
        struct verify_run run;
        struct run_reply reply;
        cases_work_run(work, index, run_index, run_index == runs - 1, &data, &run, &reply);
        collect(work, &reply, test, the_case->budget && run_index == 0 && reply.outcome == RUN_RAN ? tally : NULL);
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

/* ---- schedules ---------------------------------------------------------------------------------------------------- */

static bool has_race(const struct result_test *test)
{
    for (size_t i = 0; i < test->findings.count; i++)
        if (strncmp(test->findings.list[i].code, "race_", 5) == 0)
            return true;
    return false;
}

/* The result changed with the order: where a race explains it, the race says so, else it is a finding of its own. */
static void report_difference(struct result_test *test, const char *file, const char *words)
{
    for (size_t i = 0; i < test->findings.count; i++) {
        struct result_finding *finding = &test->findings.list[i];
        if (strncmp(finding->code, "race_", 5) != 0 || strstr(finding->message, "the result is wrong with") != NULL)
            continue;
        size_t used = strlen(finding->message);
        snprintf(finding->message + used, sizeof(finding->message) - used, "%sRight by luck: the result is wrong with %s.",
                 used > 0 && finding->message[used - 1] == '.' ? " " : ". ", words);
        return;
    }
    struct result_finding finding = {.severity = LOCKSTEP_ERROR, .count = 1, .code = "order_dependent"};
    snprintf(finding.file, sizeof(finding.file), "%s", file);
    snprintf(finding.message, sizeof(finding.message),
             "The result is right with threads and blocks in rising order, and wrong with %s. A GPU promises no order.",
             words);
    result_findings_add(&test->findings, &finding);
}

static void judge_schedule(struct cases_work *work, int index, int schedule)
{
    struct result_test *test = &work->result->tests[index];
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    cases_work_run(work, index, 0, true, &data, &run, &reply);
    collect(work, &reply, test, NULL);
    if (reply.outcome != RUN_RAN) {
        verify_outcome(&run, &reply, test);
    } else if (!verify_is_right(&run, &reply)) {
        report_difference(test, work->input->file, schedule_words[schedule]);
    }
    for (size_t i = 0; i < test->findings.count && test->state == RESULT_PASS; i++)
        if (diagnose_fails(&test->findings.list[i]))
            test->state = RESULT_FAIL;
}

/* Which cases are run under every schedule: the small ones whose values are right, and if none of them has three blocks, the
 * smallest that has. */
static void choose_for_schedules(const struct cases_work *work, const struct case_size *sizes, bool *chosen)
{
    int count = work->input->setup.lab->case_count, smallest = -1;
    bool enough = false;
    for (int i = 0; i < count; i++) {
        const struct result_test *test = &work->result->tests[i];
        bool right = sizes[i].ran && test->actual[0] == '\0' && (test->state == RESULT_PASS || has_race(test));
        chosen[i] = right && sizes[i].threads <= SCHEDULE_THREADS;
        enough |= chosen[i] && sizes[i].blocks >= 3;
        if (right && sizes[i].blocks >= 3 && (smallest < 0 || sizes[i].threads < sizes[smallest].threads))
            smallest = i;
    }
    if (!enough && smallest >= 0)
        chosen[smallest] = true;
}

static void judge_schedules(struct cases_work *work, const struct case_size *sizes)
{
    int count = work->input->setup.lab->case_count;
    bool *chosen = allocate_zeroed((size_t)count * sizeof(*chosen));
    choose_for_schedules(work, sizes, chosen);
    for (int schedule = 0; schedule < OTHER_SCHEDULES; schedule++) {
        cases_work_close_session(work);
        work->settings.schedule = other_schedules[schedule];
        for (int i = 0; i < count; i++)
            if (chosen[i] && work->result->tests[i].actual[0] == '\0')
                judge_schedule(work, i, schedule);
    }
    free(chosen);
}

/* ---- all cases ---------------------------------------------------------------------------------------------------- */

/* A harness failure or a module that the device does not take would only repeat itself; and who does not come to an end is
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

/* A case that is not run, because the one before told enough. */
static void give_up(struct result_test *test, const struct result_test *before)
{
    test->state = before->state;
    if (before->state == RESULT_FAIL)
        snprintf(test->message, sizeof(test->message), "not run: the cases before it took too long to come to an end");
}

void cases_judge(const struct cases_input *input, struct result_lab *result, struct tally *tally)
{
    struct cases_work work;
    const struct lab *lab = input->setup.lab;
    struct case_size *sizes = allocate_zeroed((size_t)lab->case_count * sizeof(*sizes));
    memset(tally, 0, sizeof(*tally));
    if (!cases_work_begin(&work, input, result)) {
        result->tests[0].state = RESULT_HARNESS_ERROR;
        snprintf(result->tests[0].message, sizeof(result->tests[0].message), "no memory for the arrays of the lab");
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
        judge_schedules(&work, sizes);
    for (int i = 0; i < lab->case_count; i++)
        diagnose_sort(&result->tests[i].findings);
    cases_work_end(&work);
    free(sizes);
}

void cases_count(const struct cases_input *input, struct tally *tally, char *message, size_t message_bytes)
{
    struct cases_work work;
    struct result_lab unused = {0};
    struct result_test test = {0};
    int index = cases_find_budget(input->setup.lab);
    memset(tally, 0, sizeof(*tally));
    if (index < 0 || !cases_work_begin(&work, input, &unused))
        return;
    work.checks = "memory";   /* counters are the same at every level of checks */
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    cases_work_run(&work, index, 0, true, &data, &run, &reply);
    collect(&work, &reply, &test, reply.outcome == RUN_RAN ? tally : NULL);
    if (reply.outcome != RUN_RAN)
        snprintf(message, message_bytes, "%s", reply.message);
    cases_work_end(&work);
    free(test.findings.list);
    free(unused.printed);
}
