#include "grader/judge/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/compile/compile_step.h"
#include "grader/judge/cases_collect.h"
#include "grader/judge/repair_source.h"
#include "grader/judge/story_order.h"
#include "grader/lab/arrays.h"
#include "grader/result/diagnose.h"

/* Bounds of the work: runs that only try something end after so many warp instructions without a finished block, on cases of
 * at most so many elements; at most so many repairs are tried, and at most so many runs of them end for lack of fuel. */
#define TRIAL_FUEL     2000000
#define TRIAL_ELEMENTS (1u << 17)
#define TRIES_MOST     24
#define ENDLESS_MOST   2

enum places { SOURCE, LINES, UPDATE, ARRAY, KERNEL };

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
enum { ORDERS = sizeof orders / sizeof *orders, LINES_MOST = 8, EDITS_MOST = 3 };
enum { LEFT_SHOWN = 300 }; /* bytes of the message about what is left */

/* One repair at its places. */
struct candidate {
    const struct row *row;
    int lines[LINES_MOST], line_count;
    struct repair_edit edits[EDITS_MOST]; /* of the source */
    int edit_count;
};

static bool is_source(const struct candidate *candidate)
{
    return candidate->row->places == SOURCE;
}

struct trial {
    struct cases_work *work;
    const struct result_finding *cause;
    const struct result_test *test; /* that shows it, and is tried first */
    int index;                      /* of that test */
    struct repair_source *source;   /* NULL: none to edit */
    struct result_repair *repair;
    struct result_finding target; /* what the next edit is to take away: the cause, then what is left */
    struct result_finding left;   /* the first cause of the latest run that did not pass; code "" none */
    bool has_target;              /* the target was in that run */
    struct candidate cured;       /* what cured everything; row NULL: nothing did */
    int tries;                    /* candidates */
    int endless;                  /* runs that used up their fuel, which takes long */
    bool is_barrier;              /* the candidate makes threads wait */
    bool helped;                  /* some repair took the cause away from that test */
    bool given_up;                /* after too many of these, or when the harness failed */
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
    return arrays_elements(work->input->setup.lab, plan_case(&work->input->setup, index));
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

/* Is the same mistake at the same lines among them? */
static bool has_same(const struct result_findings *findings, const struct result_finding *target)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *finding = &findings->list[i];
        bool lines = (finding->line == target->line && finding->line2 == target->line2)
                     || (finding->line == target->line2 && finding->line2 == target->line);
        if (diagnose_fails(finding) && lines && strcmp(finding->array, target->array) == 0
            && strncmp(finding->code, target->code, 5) == 0)
            return true;
    }
    return false;
}

/* Several threads that store one value to one element of the array do work that belongs to one of them: what made their values
 * the same has cured nothing. */
static bool is_done_by_several(const struct result_findings *findings, const struct result_finding *cause)
{
    bool update = strcmp(cause->pattern, "update") == 0 || strcmp(cause->pattern, "same_element") == 0
                  || strcmp(cause->pattern, "everybody") == 0 || strcmp(cause->pattern, "narrow") == 0;
    for (size_t i = 0; i < findings->count && update; i++)
        if (strcmp(findings->list[i].code, "race_same_value") == 0 && strcmp(findings->list[i].array, cause->array) == 0)
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
    cases_collect(work, &reply, NULL, NULL, &fresh);
    cases_merge_findings(&test, &fresh);
    verify_outcome(&run, &reply, &test);
    outcome.right = reply.outcome == RUN_RAN && verify_is_right(&run, &reply, &wrong);
    if (!outcome.right && reply.outcome == RUN_RAN)
        verify_outputs(&run, &reply, &test);
    diagnose_sort(&test.findings);
    const struct result_finding *first = test.findings.count > 0 ? &test.findings.list[0] : NULL;
    outcome.has_cause = has_code_of(&test.findings, trial->cause);
    bool by_several = trial->is_barrier && is_done_by_several(&test.findings, trial->cause);
    outcome.has_cause |= by_several;
    outcome.passes = outcome.right && (!first || !diagnose_fails(first)) && !by_several;
    if (!outcome.passes)
        snprintf(outcome.other, sizeof outcome.other, "%s", first && diagnose_fails(first) ? first->code : "wrong_value");
    trial->has_target = has_same(&test.findings, &trial->target);
    memset(&trial->left, 0, sizeof trial->left);
    if (!outcome.passes && first && diagnose_fails(first))
        trial->left = *first;
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

/* "after line 12", "after line 12 and another at the end of …"; where a barrier moves, "of line 10 after … instead". */
static void write_places(const struct candidate *candidate, char *text, size_t bytes)
{
    size_t used = 0;
    const struct repair_edit *edits = candidate->edits;
    if (candidate->edit_count == 2 && edits[0].removed_line > 0 && edits[0].place.token == edits[1].place.token) {
        snprintf(text, bytes, "%s instead of those in lines %d and %d", edits[0].place.words, edits[0].removed_line,
                 edits[1].removed_line);
        return;
    }
    for (int i = 0; i < candidate->edit_count && used < bytes; i++) {
        const struct repair_edit *edit = &candidate->edits[i];
        if (edit->removed_line > 0)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s instead of the one in line %d",
                                     i > 0 ? " and another " : "", edit->place.words, edit->removed_line);
        else
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", i > 0 ? " and another " : "", edit->place.words);
    }
}

static char *describe(const struct trial *trial, const struct candidate *candidate)
{
    char place[3 * REPAIR_PLACE_WORDS + 100];
    const char *words = words_of(trial, candidate->row), *hole = strstr(words, "%s");
    if (!hole)
        return allocate_format("%s", words);
    if (candidate->row->places == ARRAY)
        snprintf(place, sizeof place, "%s", trial->cause->array);
    else if (candidate->row->places == SOURCE)
        write_places(candidate, place, sizeof place);
    else
        write_lines(candidate->lines, candidate->line_count, place, sizeof place);
    const char *rest = hole + 2, *jump_word = "";
    bool opens = strcmp(candidate->row->kind, "open_barrier") == 0 && candidate->line_count == 1 && trial->source;
    int jump = opens ? repair_source_find_jump(trial->source, candidate->lines[0], &jump_word) : 0, around;
    bool is_loop = false;
    if (jump > 0 && (!repair_source_find_around(trial->source, candidate->lines[0], &is_loop, &around) || is_loop))
        return allocate_format("with the barrier in line %d also reached by the threads that take the `%s` in line %d",
                               candidate->lines[0], jump_word, jump);
    if (candidate->row->places == SOURCE && strcmp(candidate->row->kind, "await") == 0
        && candidate->edits[0].place.before_barrier)
        rest = ", before the barrier that is there";
    return allocate_format("%.*s%s%s", (int)(hole - words), words, place, rest);
}

/* Of a barrier that moves: where it was. */
static int line_of_edit(const struct repair_edit *edit)
{
    return edit->removed_line > 0 ? edit->removed_line : edit->place.line;
}

static void take_candidate(struct trial *trial, const struct candidate *candidate, enum result_cure cure)
{
    struct result_repair *repair = trial->repair;
    if (cure == RESULT_CURED)
        trial->cured = *candidate;
    repair->cure = cure;
    snprintf(repair->kind, sizeof repair->kind, "%s", candidate->row->kind);
    repair->line = candidate->line_count > 0 ? candidate->lines[0] : 0;
    repair->line2 = candidate->line_count > 1 ? candidate->lines[1] : 0;
    if (candidate->edit_count > 0)
        repair->line = line_of_edit(&candidate->edits[0]);
    if (candidate->edit_count > 1)
        repair->line2 = line_of_edit(&candidate->edits[1]);
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
    if (all->left_out == 0 && all->ran == 1)
        return allocate_format("the %stest passes", visible);
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

/* A barrier that was put in may itself be waited for in vain, or by fewer lanes than its mask names: that says nothing about
 * the program as it is. */
static bool is_made_by_repair(const char *code)
{
    return diagnose_stage(code) == diagnose_stage("fuel");
}

/* Behind a `return`, the compiler leaves out conditions that it makes needless: threads that are kept store where the source
 * would not let them. */
static bool is_stay(const struct row *row)
{
    return strcmp(row->kind, "stay") == 0;
}

static void note_tried(const struct trial *trial, const struct row *row)
{
    struct result_repair *repair = trial->repair;
    size_t used = strlen(repair->tried);
    if (!result_was_tried(trial->work->result, row->kind) && used + strlen(row->kind) + 2 < sizeof repair->tried)
        snprintf(repair->tried + used, sizeof repair->tried - used, "%s ", row->kind);
}

/* Bytes of a text's first sentences, at most `most`; of a longer first sentence, 0. */
static int whole_sentences(const char *text, size_t most)
{
    size_t length = strlen(text), whole = length <= most ? length : 0;
    for (size_t i = 1; i <= most && i < length && whole < length; i++)
        whole = text[i] == ' ' && strchr(".?", text[i - 1]) ? i : whole;
    return (int)whole;
}

/* Says what came of a candidate, where that is more than what came of those before. */
static void take_outcome(struct trial *trial, const struct candidate *candidate, const struct outcome *outcome,
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
    } else if (all->cured > 1 && 4 * all->cured >= all->failed_before && !all->has_cause && !is_about_bounds(candidate->row)
               && !(is_stay(candidate->row) && strncmp(other, "race_", 5) == 0)) {
        cure = RESULT_PARTLY;
        words = allocate_format("%d of the %d failing tests%s pass, and the %s: %s", all->cured, all->failed_before,
                                all->left_out > 0 ? " that were run again" : "",
                                all->failed_before - all->cured == 1 ? "other one still fails" : "others still fail",
                                diagnose_title(other));
    } else if (!outcome->passes && !outcome->has_cause && (!is_source(candidate) || candidate->edit_count == 1)
               && strcmp(candidate->row->kind, "move_barrier") != 0 && is_about_order(trial->cause)
               && tried_on->state != RESULT_PASS && !is_made_by_repair(other) && strcmp(trial->cause->pattern, "chain") != 0
               && (strcmp(other, "wrong_value") != 0 || strcmp(candidate->row->kind, "atomic") == 0
                   || (candidate->edit_count == 1 && trial->left.explained))) {
        /* Behind a barrier that was put into the instructions, values that stay wrong tell nothing: without it, the compiler
         * left out stores and loads. One in the source is compiled; but a barrier at a wrong place makes values wrong. */
        cure = RESULT_REMAINS;
        const char *message = trial->left.explained ? trial->left.message : "";
        int shown = whole_sentences(message, LEFT_SHOWN);
        words = allocate_format("the case \"%s\" no longer has this mistake, but still fails: %s%s%.*s", tried_on->name,
                                diagnose_title(other), shown > 0 ? ". " : "", shown, message);
    }
    if (cure != RESULT_UNTRIED && (repair->cure == RESULT_UNTRIED || cure < repair->cure)) {
        char *condition = describe(trial, candidate);
        take_candidate(trial, candidate, cure);
        repair->cures = cure == RESULT_CURED ? all->passed : all->cured;
        repair->of = cure == RESULT_CURED ? all->ran : all->failed_before;
        snprintf(repair->other, sizeof repair->other, "%s", other);
        snprintf(repair->message, sizeof repair->message, "Tried on the emulated device: %s, %s%s", condition, words,
                 strchr(".?", words[strlen(words) - 1]) ? "" : ".");
        free(condition);
    }
    free(words);
}

/* Runs with the edits in the source: compiles it. Returns false when it does not compile. */
static bool compile_edited(struct trial *trial, const struct candidate *candidate, struct compile_result *compiled)
{
    struct cases_work *work = trial->work;
    size_t bytes;
    char *text = repair_source_edited(trial->source, candidate->edits, candidate->edit_count, &bytes);
    struct compile_input input = {text, bytes, work->input->file, work->input->setup.lab, NULL, false};
    compile_step(&input, compiled);
    free(text);
    if (compiled->outcome != COMPILE_DONE)
        return false;
    cases_work_close_session(work);
    work->settings.ptx = compiled->ptx;
    work->settings.ptx_bytes = compiled->ptx_bytes;
    return true;
}

static void run_candidate(struct trial *trial, const struct candidate *candidate);

static bool is_cured(const struct trial *trial)
{
    return trial->repair->cure == RESULT_CURED;
}

/* Tries one candidate. Returns true when it cures everything. */
static bool try_candidate(struct trial *trial, const struct candidate *candidate)
{
    struct cases_work *work = trial->work;
    char request[RUN_REPAIR_BYTES] = "";
    trial->tries++;
    trial->has_target = true;
    trial->is_barrier = strstr(candidate->row->kind, "barrier") != NULL;
    if (!is_source(candidate)) {
        write_request(trial, candidate, request);
        work->settings.repair = request;
        run_candidate(trial, candidate);
        work->settings.repair = "";
        return is_cured(trial);
    }
    struct compile_result *compiled = allocate_zeroed(sizeof *compiled);
    if (compile_edited(trial, candidate, compiled))
        run_candidate(trial, candidate);
    cases_work_close_session(work);
    work->settings.ptx = work->input->ptx;
    work->settings.ptx_bytes = work->input->ptx_bytes;
    compile_step_clear(compiled);
    free(compiled);
    return is_cured(trial);
}

/* First on the test that shows the cause, then on all, then in other orders of the threads. */
static void run_candidate(struct trial *trial, const struct candidate *candidate)
{
    struct tally_of_tests all = {0};
    struct outcome outcome = run_case(trial, trial->index);
    if (strcmp(outcome.other, "compile") == 0) /* it has no place there */
        return;
    note_tried(trial, candidate->row);
    if (outcome.passes)
        run_all(trial, &all);
    if (all.ran > 0 && all.passed == all.ran && !is_right_in_all_orders(trial, trial->index))
        return;
    trial->helped |= !outcome.has_cause && !all.has_cause;
    if (!trial->given_up)
        take_outcome(trial, candidate, &outcome, &all);
}

/* ---- edits of the source ------------------------------------------------------------------------------------------ */

static const char *text_of(const struct row *row, const struct repair_place *place)
{
    if (strcmp(row->kind, "await") != 0)
        return "__syncthreads();";
    return place->before_barrier ? "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");"
                                 : "asm volatile(\"cp.async.wait_all;\" ::: \"memory\"); __syncthreads();";
}

/* Adds the edit for one place. Returns false when it would change nothing. */
static bool add_edit(const struct trial *trial, const struct repair_place *place, int moved, struct candidate *candidate)
{
    struct repair_edit edit = {.place = *place, .text = text_of(candidate->row, place)};
    bool adds = strcmp(candidate->row->kind, "barrier") == 0;
    if (adds && place->before_barrier)
        return false;
    if (moved > 0) {
        if (!repair_source_find_barrier(trial->source, moved, &edit.removed, &edit.removed_end)
            || edit.removed_end == place->token)
            return false;
        edit.removed_line = moved;
        if (place->before_barrier)
            edit.text = "";
    }
    for (int i = 0; i < candidate->edit_count; i++) {
        const struct repair_edit *other = &candidate->edits[i];
        bool same_place = other->place.token == place->token;
        if (same_place && (moved == 0 || other->removed == edit.removed))
            return false;
        if (same_place)
            edit.text = "";
    }
    candidate->edits[candidate->edit_count++] = edit;
    return true;
}

/* Does one edit do, of those that cured together? */
static void drop_first(struct trial *trial, const struct candidate *cured)
{
    struct result_repair known = *trial->repair;
    struct candidate fewer = *cured, both = *cured;
    if (cured->edit_count < 2)
        return;
    fewer.edit_count--;
    memmove(fewer.edits, fewer.edits + 1, (size_t)fewer.edit_count * sizeof *fewer.edits);
    trial->repair->cure = RESULT_UNTRIED;
    if (!try_candidate(trial, &fewer)) {
        known.runs = trial->repair->runs;
        *trial->repair = known;
        trial->cured = both;
    }
}

/* What is left and can be cured by the same kind of repair; else the search ends. */
static bool may_go_on(const struct trial *trial, const struct row *row)
{
    return trial->left.code[0] != '\0' && has_code(row, trial->left.code) && !trial->given_up;
}

/* One choice among the candidates of a kind: places[i], or with j above i, both. */
static bool try_places(struct trial *trial, const struct candidate *kept, const struct repair_place *places, int i, int j,
                       int moved, struct candidate *candidate)
{
    *candidate = *kept;
    if (trial->tries >= TRIES_MOST || trial->given_up || !add_edit(trial, &places[i], moved, candidate)
        || (j > i && !add_edit(trial, &places[j], moved, candidate)) || !try_candidate(trial, candidate))
        return false;
    drop_first(trial, candidate);
    return true;
}

/* The places of the target and, behind them, those of other findings about the array: lines that the compiler has merged are
 * not where the accesses are. */
static int find_places(const struct trial *trial, const struct row *row, struct repair_place places[REPAIR_PLACES_MOST])
{
    struct repair_place more[REPAIR_PLACES_MOST];
    int count = repair_source_places(trial->source, &trial->target, places);
    for (size_t f = 0; f < trial->test->findings.count; f++) {
        const struct result_finding *other = &trial->test->findings.list[f];
        bool fits = has_code(row, other->code) && strcmp(other->array, trial->target.array) == 0;
        int found = fits ? repair_source_places(trial->source, other, more) : 0;
        for (int i = 0; i < found && count < REPAIR_PLACES_MOST; i++) {
            bool known = false;
            for (int k = 0; k < count; k++)
                known |= places[k].token == more[i].token;
            if (!known)
                places[count++] = more[i];
        }
    }
    return count;
}

enum { PAIRED_MOST = 5 }; /* places of which pairs are tried as well */

/* Tries the places of the target, one after the other. Where none cures everything, goes on from the first one that takes the
 * target away, with what is left as the next target; where none does even that, tries two at a time. */
static bool try_barriers(struct trial *trial, const struct row *row)
{
    struct candidate kept = {.row = row}, candidate;
    while (kept.edit_count < EDITS_MOST) {
        struct repair_place places[REPAIR_PLACES_MOST];
        struct candidate better = kept;
        struct result_finding next = {0};
        int count = find_places(trial, row, places);
        for (int i = 0; i < count; i++) {
            trial->has_target = true;
            if (try_places(trial, &kept, places, i, i, 0, &candidate))
                return true;
            if (better.edit_count == kept.edit_count && !trial->has_target && may_go_on(trial, row)) {
                better = candidate;
                next = trial->left;
            }
        }
        for (int i = 0; i < count && count <= PAIRED_MOST && kept.edit_count == 0 && better.edit_count == 0; i++)
            for (int j = i + 1; j < count; j++)
                if (try_places(trial, &kept, places, i, j, 0, &candidate))
                    return true;
        if (better.edit_count == kept.edit_count || trial->given_up)
            return false;
        kept = better;
        trial->target = next;
    }
    return false;
}

/* Tries the barrier that some threads do not reach behind the statements that keep them away, then that of the others. */
static bool try_moves(struct trial *trial, const struct row *row)
{
    struct candidate kept = {.row = row}, candidate;
    for (int side = 0; side < 2; side++) {
        struct repair_place places[REPAIR_PLACES_MOST];
        struct result_finding where = *trial->cause;
        struct candidate better = kept;
        where.line = side == 0 ? trial->cause->line : trial->cause->line2;
        where.line2 = 0;
        int count = repair_source_places(trial->source, &where, places);
        for (int i = 0; i < count; i++) {
            if (try_places(trial, &kept, places, i, i, where.line, &candidate))
                return true;
            if (better.edit_count == kept.edit_count && candidate.edit_count > kept.edit_count)
                better = candidate;
        }
        kept = better;
    }
    return false;
}

static bool try_source(struct trial *trial, const struct row *row)
{
    if (!trial->source)
        return false;
    return strcmp(row->kind, "move_barrier") == 0 ? try_moves(trial, row) : try_barriers(trial, row);
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
    for (int i = 0; i < setup->lab->kernel_count && i < LAB_MAX_ALL_KERNELS; i++)
        for (int k = 0; k < LAB_MAX_ARGUMENTS; k++)
            if (setup->parameter_names[i][k][0] != '\0' && strcmp(setup->parameter_names[i][k], trial->cause->array) == 0)
                return true;
    return false;
}

/* Where a lock protects the update, it is the lock that needs repair. */
static bool fits(const struct trial *trial, const struct row *row)
{
    return has_code(row, trial->cause->code) && (!is_about_bounds(row) || is_in_global_memory(trial))
           && strcmp(trial->cause->pattern, "unlocked") != 0
           && !(strcmp(row->kind, "atomic") == 0 && result_findings_have(&trial->test->findings, "race_lock"));
}

static bool is_between_blocks(const struct result_finding *finding)
{
    return finding->has_thread2 && memcmp(finding->block, finding->block2, sizeof finding->block) != 0;
}

/* No repair takes the race away. That no place was found proves nothing; but no barrier waits for another block. */
static void say_no_cure(const struct trial *trial)
{
    const struct result_lab *result = trial->work->result;
    struct result_repair *repair = trial->repair;
    bool barrier = result_is_not_cured_by(result, "barrier"), atomic = result_is_not_cured_by(result, "atomic");
    if (repair->cure != RESULT_UNTRIED || trial->given_up || trial->helped || !barrier || !is_about_order(trial->cause)
        || !is_between_blocks(trial->cause))
        return;
    repair->cure = RESULT_NO_CURE;
    snprintf(repair->message, sizeof repair->message,
             "Tried on the emulated device: no barrier takes this race away, because the two threads are in two blocks%s.",
             atomic ? "; nor does one atomic step" : "");
}

/* The findings that the repair is for know it: questions and hints go by it. */
static void note_cure(const struct trial *trial)
{
    const struct result_lab *result = trial->work->result;
    const struct result_repair *repair = trial->repair;
    if (repair->cure != RESULT_CURED)
        return;
    for (int i = 0; i < result->test_count; i++)
        for (size_t k = 0; k < result->tests[i].findings.count; k++) {
            struct result_finding *finding = &result->tests[i].findings.list[k];
            bool race = strncmp(finding->code, "race_", 5) == 0 && strncmp(trial->cause->code, "race_", 5) == 0;
            if (!race && strcmp(finding->code, trial->cause->code) != 0)
                continue;
            snprintf(finding->cured_by, sizeof finding->cured_by, "%s", repair->kind);
            if (strcmp(repair->kind, "barrier") == 0)
                story_order_note_barrier(&trial->cured.edits[0].place, trial->cured.edit_count == 1, finding);
        }
}

void repair_find(struct cases_work *work)
{
    struct trial trial = {.work = work, .repair = &work->result->repair};
    if (!find_test(&trial))
        return;
    const struct plan_setup *setup = &work->input->setup;
    trial.source = repair_source_create(setup->source, setup->source_bytes);
    const struct cases_effort effort = work->effort; /* what is tried here costs the submission nothing */
    work->effort = (struct cases_effort){0};
    work->fuel_limit = TRIAL_FUEL;
    bool cured = false;
    for (int i = 0; i < ROWS && !cured && !trial.given_up; i++) {
        struct candidate candidate;
        trial.target = *trial.cause;
        if (rows[i].places == SOURCE) {
            cured = fits(&trial, &rows[i]) && try_source(&trial, &rows[i]);
            continue;
        }
        for (int step = 0; fits(&trial, &rows[i]) && !cured && !trial.given_up && choose(&trial, &rows[i], step, &candidate)
                           && trial.tries < TRIES_MOST;
             step++)
            if (!is_repeated(&trial, &candidate, step))
                cured = try_candidate(&trial, &candidate);
    }
    say_no_cure(&trial);
    note_cure(&trial);
    repair_source_destroy(trial.source);
    work->settings.repair = "";
    work->fuel_limit = 0;
    work->effort = effort;
    cases_work_close_session(work);
}
