#include "grader/judge/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_collect.h"
#include "grader/result/diagnose.h"

/* Bounds of the work: runs that only try something end after so many warp instructions without a finished block, on cases of
 * at most so many elements; at most so many repairs are tried, and at most so many runs of them end for lack of fuel. */
#define TRIAL_FUEL     2000000
#define TRIAL_ELEMENTS (1u << 17)
#define TRIES_MOST     24
#define ENDLESS_MOST   2

enum places { LINES, UPDATE, ARRAY, KERNEL };

static const struct row {
    const char *kind;
    enum places places;
    const char *codes, *words;
} rows[] = {
#define REPAIR(kind, places, codes, words) {#kind, places, codes, words},
#include "runtime/tables/repairs.def"
#undef REPAIR
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char *const orders[] = {
#define SCHEDULE(name, ...) name,
#include "runtime/tables/schedule.def"
#undef SCHEDULE
};
enum { ORDERS = sizeof orders / sizeof *orders, LINES_MOST = 8 };

/* One repair at its places. */
struct candidate {
    const struct row *row;
    int lines[LINES_MOST], line_count;
};

struct trial {
    struct cases_work *work;
    const struct result_finding *cause;
    const struct result_test *test; /* that shows it, and is tried first */
    int index;                      /* of that test */
    struct result_repair *repair;
    int tries;     /* candidates */
    int endless;   /* runs that used up their fuel, which takes long */
    bool helped;   /* some repair took the cause away from that test */
    bool given_up; /* after too many of these, or when the harness failed */
};

/* ---- one run ------------------------------------------------------------------------------------------------------ */

/* What a run with a repair came to. */
struct outcome {
    bool right; /* the values */
    bool passes;
    bool has_cause; /* the finding that is to be cured is still there */
    char other[32]; /* code of the first cause of what is wrong; "" nothing */
};

static size_t elements_of(const struct cases_work *work, int index)
{
    const struct lab *lab = work->input->setup.lab;
    size_t elements = 0;
    for (int i = 0; i < lab->array_count; i++)
        elements += lab->extent(plan_case(&work->input->setup, index), i);
    return elements;
}

static bool has_code_of(const struct result_findings *findings, const struct result_finding *cause)
{
    bool race = strncmp(cause->code, "race_", 5) == 0;
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].code, cause->code) == 0
            || (race && strncmp(findings->list[i].code, "race_", 5) == 0 && diagnose_fails(&findings->list[i])))
            return true;
    return false;
}

/* Judges run `run_index` of a case with the repair that the session's settings name. */
static struct outcome run_once(struct trial *trial, int index, int run_index, bool last)
{
    struct cases_work *work = trial->work;
    struct result_test test = {.state = RESULT_PASS};
    struct outcome outcome = {0};
    struct result_findings fresh;
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    struct verify_wrong wrong;
    trial->repair->runs++;
    cases_work_run(work, index, run_index, last, &data, &run, &reply);
    cases_collect(work, &reply, false, NULL, &fresh);
    cases_merge_findings(&test, &fresh);
    verify_outcome(&run, &reply, &test);
    outcome.right = reply.outcome == RUN_RAN && verify_is_right(&run, &reply, &wrong);
    diagnose_sort(&test.findings);
    const struct result_finding *first = test.findings.count > 0 ? &test.findings.list[0] : NULL;
    outcome.has_cause = has_code_of(&test.findings, trial->cause);
    outcome.passes = outcome.right && (!first || !diagnose_fails(first));
    if (!outcome.passes)
        snprintf(outcome.other, sizeof outcome.other, "%s", first && diagnose_fails(first) ? first->code : "wrong_value");
    trial->endless += strcmp(outcome.other, "fuel") == 0;
    trial->given_up |= reply.outcome == RUN_HUNG || reply.outcome == RUN_HARNESS || reply.outcome == RUN_CRASHED
                       || trial->endless == ENDLESS_MOST;
    free(fresh.list);
    free(test.findings.list);
    return outcome;
}

/* Both sets of inputs, as a case is judged. */
static struct outcome run_case(struct trial *trial, int index)
{
    struct outcome outcome = run_once(trial, index, 0, false);
    return outcome.passes ? run_once(trial, index, 1, true) : outcome;
}

/* As in cases_schedules.c, races count in rising order alone: where lanes are taken apart, what belongs together is not seen as
 * one. */
static bool is_right_in_all_orders(struct trial *trial, int index)
{
    bool right = true;
    for (int i = 1; i < ORDERS && right; i++) {
        trial->work->settings.schedule = orders[i];
        right = run_once(trial, index, 0, true).right;
    }
    trial->work->settings.schedule = orders[0];
    return right;
}

/* ---- candidates --------------------------------------------------------------------------------------------------- */

static void add_line(struct candidate *candidate, int line)
{
    for (int i = 0; i < candidate->line_count; i++)
        if (candidate->lines[i] == line)
            return;
    if (line > 0 && candidate->line_count < LINES_MOST)
        candidate->lines[candidate->line_count++] = line;
}

static int compare_lines(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void sort_lines(struct candidate *candidate)
{
    qsort(candidate->lines, (size_t)candidate->line_count, sizeof *candidate->lines, compare_lines);
}

static bool has_code(const struct row *row, const char *code)
{
    size_t length = strlen(code);
    for (const char *at = row->codes; (at = strstr(at, code)); at += length)
        if (at[length] == ' ' && (at == row->codes || at[-1] == ' '))
            return true;
    return false;
}

/* Lines of all findings of the test that the row is for. */
static void add_all_lines(const struct trial *trial, struct candidate *candidate)
{
    for (size_t i = 0; i < trial->test->findings.count; i++) {
        const struct result_finding *finding = &trial->test->findings.list[i];
        if (!has_code(candidate->row, finding->code))
            continue;
        add_line(candidate, finding->line);
        add_line(candidate, finding->line2);
    }
}

static bool has_lines(const struct row *row)
{
    return row->places == LINES || row->places == UPDATE;
}

/* The `step`-th choice of places for a row. Returns false when there are no more. */
static bool choose(const struct trial *trial, const struct row *row, int step, struct candidate *candidate)
{
    const struct result_finding *cause = trial->cause;
    *candidate = (struct candidate){.row = row};
    if (!has_lines(row))
        return step == 0 && (row->places == KERNEL || cause->array[0] != '\0');
    if (row->places == UPDATE && cause->line2 != 0 && cause->line2 != cause->line)
        return false;
    if (step == 0 || step == 2)
        add_line(candidate, cause->line);
    if (step == 1 || step == 2)
        add_line(candidate, cause->line2);
    if (step == 3)
        add_all_lines(trial, candidate);
    sort_lines(candidate);
    return step <= 3;
}

/* Was the same tried in an earlier step, or is there no line? */
static bool is_repeated(const struct trial *trial, const struct candidate *candidate, int step)
{
    struct candidate other;
    for (int i = 0; i < step; i++) {
        bool same = choose(trial, candidate->row, i, &other) && other.line_count == candidate->line_count;
        for (int k = 0; same && k < candidate->line_count; k++)
            same = other.lines[k] == candidate->lines[k];
        if (same)
            return true;
    }
    return has_lines(candidate->row) && candidate->line_count == 0;
}

static void write_request(const struct trial *trial, const struct candidate *candidate, char request[RUN_REPAIR_BYTES])
{
    size_t used = 0;
    request[0] = '\0';
    if (candidate->line_count == 0)
        snprintf(request, RUN_REPAIR_BYTES, "%s %s", candidate->row->kind,
                 candidate->row->places == ARRAY ? trial->cause->array : "");
    for (int i = 0; i < candidate->line_count && used < RUN_REPAIR_BYTES; i++)
        used += (size_t)snprintf(request + used, RUN_REPAIR_BYTES - used, "%s%s %d", i > 0 ? ";" : "", candidate->row->kind,
                                 candidate->lines[i]);
}

/* ---- words -------------------------------------------------------------------------------------------------------- */

/* "line 14", "lines 14, 17 and 18". */
static void write_lines(const int *lines, int count, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, count > 1 ? "lines " : "line ");
    for (int i = 0; i < count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%d", i == 0 ? "" : i + 1 < count ? ", " : " and ", lines[i]);
}

/* Is it a repair of an access that is out of bounds? */
static bool is_about_bounds(const struct row *row)
{
    return has_code(row, "out_of_bounds");
}

/* The words that fit the access: nothing of a store is "reading 0". */
static const char *words_of(const struct trial *trial, const struct row *row)
{
    const struct result_finding *cause = trial->cause;
    if (!is_about_bounds(row))
        return row->words;
    if (strcmp(cause->pattern, "eager") == 0)
        return strstr(cause->remark, "But | evaluates") ? "with || instead of | in %s" : "with && instead of & in %s";
    return strncmp(cause->message, "read ", 5) == 0 ? row->words : "with nothing stored out of bounds in %s";
}

static char *describe(const struct trial *trial, const struct candidate *candidate)
{
    char place[160];
    const char *words = words_of(trial, candidate->row), *hole = strstr(words, "%s");
    if (!hole)
        return allocate_format("%s", words);
    if (candidate->row->places == ARRAY)
        snprintf(place, sizeof place, "%s", trial->cause->array);
    else
        write_lines(candidate->lines, candidate->line_count, place, sizeof place);
    return allocate_format("%.*s%s%s", (int)(hole - words), words, place, hole + 2);
}

static void take_candidate(const struct trial *trial, const struct candidate *candidate, enum result_cure cure)
{
    struct result_repair *repair = trial->repair;
    repair->cure = cure;
    snprintf(repair->kind, sizeof repair->kind, "%s", candidate->row->kind);
    repair->line = candidate->line_count > 0 ? candidate->lines[0] : 0;
    repair->line2 = candidate->line_count > 1 ? candidate->lines[1] : 0;
    snprintf(repair->array, sizeof repair->array, "%s", candidate->row->places == ARRAY ? trial->cause->array : "");
}

/* ---- all tests ---------------------------------------------------------------------------------------------------- */

/* What the visible tests came to. */
struct tally_of_tests {
    int ran, passed, failed_before, cured;
    int left_out;   /* too large */
    bool has_cause; /* in a test that still fails */
    char other[32];
};

/* A test that still has the cause ends it, and is the one to be tried first from then on: it tells more than the smallest. */
static void run_all(struct trial *trial, struct tally_of_tests *all)
{
    const struct result_lab *result = trial->work->result;
    memset(all, 0, sizeof *all);
    for (int i = 0; i < result->test_count && !trial->given_up && !all->has_cause; i++) {
        const struct result_test *test = &result->tests[i];
        if (test->hidden || test->state == RESULT_SKIPPED)
            continue;
        if (elements_of(trial->work, i) > TRIAL_ELEMENTS) {
            all->left_out++;
            continue;
        }
        struct outcome outcome = run_case(trial, i);
        all->ran++;
        all->passed += outcome.passes;
        all->failed_before += test->state != RESULT_PASS;
        all->cured += test->state != RESULT_PASS && outcome.passes;
        all->has_cause = outcome.has_cause;
        if (outcome.has_cause)
            trial->index = i;
        if (!outcome.passes && all->other[0] == '\0')
            snprintf(all->other, sizeof all->other, "%s", outcome.other);
    }
}

/* "all 13 tests pass", "all 11 smaller visible tests pass (the 2 largest were not run again)" */
static char *describe_all(const struct trial *trial, const struct tally_of_tests *all)
{
    const char *visible = trial->work->input->hidden_follow ? "visible " : "";
    if (all->left_out == 0)
        return allocate_format("all %d %stests pass", all->ran, visible);
    char *largest = all->left_out == 1 ? allocate_format("largest was") : allocate_format("%d largest were", all->left_out);
    char *text = allocate_format("all %d smaller %stests pass (the %s not run again)", all->ran, visible, largest);
    free(largest);
    return text;
}

/* Threads that do not wait for one another: what cures that and what does not tells two explanations apart. */
static bool is_about_order(const struct result_finding *cause)
{
    return strncmp(cause->code, "race_", 5) == 0 || strncmp(cause->code, "barrier_", 8) == 0;
}

/* A barrier that was put in may itself be waited for in vain: that says nothing about the program as it is. */
static bool is_made_by_repair(const char *code)
{
    return strncmp(code, "barrier_", 8) == 0 || strcmp(code, "early_exit") == 0 || strcmp(code, "deadlock") == 0
           || strcmp(code, "fuel") == 0;
}

static void note_tried(const struct trial *trial, const struct row *row)
{
    struct result_repair *repair = trial->repair;
    size_t used = strlen(repair->tried);
    if (!result_was_tried(trial->work->result, row->kind) && used + strlen(row->kind) + 2 < sizeof repair->tried)
        snprintf(repair->tried + used, sizeof repair->tried - used, "%s ", row->kind);
}

/* Says what came of a candidate, where that is more than what came of those before. */
static void take_outcome(const struct trial *trial, const struct candidate *candidate, const struct outcome *outcome,
                         const struct tally_of_tests *all)
{
    struct result_repair *repair = trial->repair;
    const char *other = outcome->passes ? all->other : outcome->other;
    const struct result_test *tried_on = &trial->work->result->tests[trial->index];
    enum result_cure cure = RESULT_UNTRIED;
    char *words = NULL;
    if (all->ran > 0 && all->passed == all->ran) {
        cure = RESULT_CURED;
        words = describe_all(trial, all);
    } else if (all->cured > 1 && 4 * all->cured >= all->failed_before && !all->has_cause
               && !is_about_bounds(candidate->row)) {
        cure = RESULT_PARTLY;
        words = allocate_format("%d of the %d failing tests pass, and the others still fail: %s", all->cured,
                                all->failed_before, diagnose_title(other));
    } else if (!outcome->passes && !outcome->has_cause && is_about_order(trial->cause) && tried_on->state != RESULT_PASS
               && !is_made_by_repair(other) && strcmp(trial->cause->pattern, "chain") != 0
               && (strcmp(other, "wrong_value") != 0 || strcmp(candidate->row->kind, "atomic") == 0)) {
        /* Values that stay wrong behind a barrier tell nothing: without it, the compiler left out stores and loads. */
        cure = RESULT_REMAINS;
        words = allocate_format("the case \"%s\" no longer has this mistake, but still fails: %s", tried_on->name,
                                diagnose_title(other));
    }
    if (cure != RESULT_UNTRIED && (repair->cure == RESULT_UNTRIED || cure < repair->cure)) {
        char *condition = describe(trial, candidate);
        take_candidate(trial, candidate, cure);
        repair->cures = cure == RESULT_CURED ? all->passed : all->cured;
        repair->of = cure == RESULT_CURED ? all->ran : all->failed_before;
        snprintf(repair->other, sizeof repair->other, "%s", other);
        snprintf(repair->message, sizeof repair->message, "Tried on the emulated device: %s, %s.", condition, words);
        free(condition);
    }
    free(words);
}

/* Tries one candidate: first on the test that shows the cause, then on all, then in other orders of the threads. Returns true
 * when it cures everything. */
static bool try_candidate(struct trial *trial, const struct candidate *candidate)
{
    char request[RUN_REPAIR_BYTES];
    struct tally_of_tests all = {0};
    write_request(trial, candidate, request);
    trial->work->settings.repair = request;
    trial->tries++;
    struct outcome outcome = run_case(trial, trial->index);
    if (strcmp(outcome.other, "compile") == 0) /* it has no place there */
        return false;
    note_tried(trial, candidate->row);
    if (outcome.passes)
        run_all(trial, &all);
    if (all.ran > 0 && all.passed == all.ran && !is_right_in_all_orders(trial, trial->index))
        return false;
    trial->helped |= !outcome.has_cause && !all.has_cause;
    if (!trial->given_up)
        take_outcome(trial, candidate, &outcome, &all);
    return trial->repair->cure == RESULT_CURED;
}

/* ---- the cause ---------------------------------------------------------------------------------------------------- */

/* The smallest visible test whose first cause is the lab's, at the same lines. */
static bool find_test(struct trial *trial)
{
    const struct result_lab *result = trial->work->result;
    int first = diagnose_first_test(result);
    if (first < 0 || result->tests[first].findings.count == 0)
        return false;
    const struct result_finding *cause = &result->tests[first].findings.list[0];
    trial->index = -1;
    for (int i = 0; i < result->test_count; i++) {
        const struct result_test *test = &result->tests[i];
        const struct result_finding *own = test->findings.list;
        if (test->hidden || test->findings.count == 0 || test->state == RESULT_PASS || strcmp(own->code, cause->code) != 0
            || own->line != cause->line || own->line2 != cause->line2 || elements_of(trial->work, i) > TRIAL_ELEMENTS)
            continue;
        if (trial->index < 0 || elements_of(trial->work, i) < elements_of(trial->work, trial->index))
            trial->index = i;
    }
    if (trial->index < 0)
        return false;
    trial->test = &result->tests[trial->index];
    trial->cause = &trial->test->findings.list[0];
    return true;
}

/* Is the cause's array one that the kernel gets as a parameter? */
static bool is_in_global_memory(const struct trial *trial)
{
    const struct plan_setup *setup = &trial->work->input->setup;
    for (int i = 0; i < setup->lab->kernel_count && i < PLAN_MAX_KERNELS; i++)
        for (int k = 0; k < LAB_MAX_ARGUMENTS; k++)
            if (setup->parameter_names[i][k][0] != '\0' && strcmp(setup->parameter_names[i][k], trial->cause->array) == 0)
                return true;
    return false;
}

/* Where a lock protects the update, it is the lock that needs repair. */
static bool fits(const struct trial *trial, const struct row *row)
{
    return has_code(row, trial->cause->code) && (!is_about_bounds(row) || is_in_global_memory(trial))
           && !(strcmp(row->kind, "atomic") == 0 && result_findings_have(&trial->test->findings, "race_lock"));
}

/* No repair takes the race away. */
static void say_no_cure(const struct trial *trial)
{
    const struct result_lab *result = trial->work->result;
    struct result_repair *repair = trial->repair;
    bool barrier = result_is_not_cured_by(result, "barrier"), atomic = result_is_not_cured_by(result, "atomic");
    if (repair->cure != RESULT_UNTRIED || trial->given_up || trial->helped || !barrier || !is_about_order(trial->cause))
        return;
    struct candidate places = {.row = NULL};
    char lines[160];
    add_line(&places, trial->cause->line);
    add_line(&places, trial->cause->line2);
    sort_lines(&places);
    write_lines(places.lines, places.line_count, lines, sizeof lines);
    repair->cure = RESULT_NO_CURE;
    snprintf(repair->message, sizeof repair->message,
             "Tried on the emulated device: no barrier %safter %s takes this race away%s.",
             result_is_not_cured_by(result, "middle_barrier") ? "in or " : "", lines,
             atomic ? ", nor does one atomic step" : "");
}

void repair_find(struct cases_work *work)
{
    struct trial trial = {.work = work, .repair = &work->result->repair};
    if (!find_test(&trial))
        return;
    const struct cases_effort effort = work->effort; /* what is tried here costs the submission nothing */
    work->effort = (struct cases_effort){0};
    work->fuel_limit = TRIAL_FUEL;
    bool cured = false;
    for (int i = 0; i < ROWS && !cured && !trial.given_up; i++) {
        struct candidate candidate;
        for (int step = 0; fits(&trial, &rows[i]) && !cured && !trial.given_up && choose(&trial, &rows[i], step, &candidate)
                           && trial.tries < TRIES_MOST;
             step++)
            if (!is_repeated(&trial, &candidate, step))
                cured = try_candidate(&trial, &candidate);
    }
    say_no_cure(&trial);
    work->settings.repair = "";
    work->fuel_limit = 0;
    work->effort = effort;
    cases_work_close_session(work);
}
