#include "grader/program/program_rules.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/budget.h"
#include "grader/judge/cases_input.h"
#include "grader/program/program_explain.h"
#include "grader/program/timeline.h"

void program_rules_list(const struct lab *lab, struct result_lab *result)
{
    size_t tests = (size_t)result->test_count, budgets = 0;
    result->tests = allocate_grown(result->tests, &tests, tests + (size_t)lab->program->rule_count, sizeof *result->tests);
    result->budgets = allocate_zeroed((size_t)(lab->program->rule_count + 2) * sizeof *result->budgets);
    for (int i = 0; i < lab->program->rule_count; i++) {
        const struct lab_rule *rule = &lab->program->rules[i];
        const struct lab_rule_row *row = &lab_rule_rows[rule->kind];
        if (row->form == LAB_RULE_TEST) {
            struct result_test *test = &result->tests[result->test_count++];
            memset(test, 0, sizeof *test);
            snprintf(test->name, sizeof test->name, "%s", row->title);
            test->purpose = rule->why;
            test->state = RESULT_SKIPPED;
            test->max_score = rule->points;
            continue;
        }
        result->budgets[budgets++] = (struct result_budget){
            .track = "counters",
            .metric = row->metric,
            .title = row->title,
            .value = NAN,
            .reference = NAN,
            .ideal = NAN,
            .ratio = NAN,
            .full_at = rule->full_at,
            .zero_at = rule->zero_at,
            .low = NAN,
            .high = NAN,
            .state = RESULT_SKIPPED,
            .max_score = rule->points,
            .why = rule->why,
            .message = "nothing ran",
        };
    }
    result->budget_count = (int)budgets;
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

/* Is the memory freed by a later call? */
static bool is_freed(const struct calls *calls, size_t allocation)
{
    const struct call *call = &calls->list[allocation];
    for (size_t i = allocation + 1; i < calls->count; i++) {
        const struct call *other = &calls->list[i];
        if (other->kind == CALL_free && other->result == 0 && other->address == call->address)
            return true;
    }
    return false;
}

static void find_leaks(const struct program_job *job, const struct calls *calls, struct result_findings *findings)
{
    for (size_t i = 0; i < calls->count; i++) {
        const struct call *call = &calls->list[i];
        if (call->kind != CALL_allocate || call->result != 0 || call->address == 0 || is_freed(calls, i))
            continue;
        struct result_finding finding = program_explain_begin(job, "leak", "", call->line);
        snprintf(finding.message, sizeof finding.message, "The %" PRIu64 " byte%s allocated here ha%s no free of %s own.",
                 call->bytes, call->bytes == 1 ? "" : "s", call->bytes == 1 ? "s" : "ve",
                 call->bytes == 1 ? "its" : "their");
        result_findings_add(findings, &finding);
    }
}

/* Of the first case that has leaks. */
static void judge_freed(const struct program_job *job, const struct calls *calls, struct result_lab *result,
                        struct result_test *test)
{
    bool allocated = false;
    for (int i = 0; i < job->lab->case_count && test->findings.count == 0; i++) {
        if (result->tests[i].state == RESULT_PASS)
            find_leaks(job, &calls[i], &test->findings);
        for (size_t k = 0; k < calls[i].count && result->tests[i].state == RESULT_PASS; k++)
            allocated |= calls[i].list[k].kind == CALL_allocate && calls[i].list[k].result == 0;
    }
    test->state = test->findings.count > 0 ? RESULT_FAIL : allocated ? RESULT_PASS : RESULT_SKIPPED;
    if (test->state == RESULT_SKIPPED)
        snprintf(test->message, sizeof test->message, "judged once a case passes");
}

/* ---- errors -------------------------------------------------------------------------------------------------------- */

/* Did a call at the same line fail already in an earlier trial? */
static bool is_tried(const struct calls *calls, size_t index)
{
    const struct call *call = &calls->list[index];
    for (size_t i = 0; i < index; i++)
        if (calls->list[i].kind == call->kind && calls->list[i].line == call->line)
            return true;
    return false;
}

static size_t count_numbers(const char *text)
{
    size_t count = 0;
    for (const char *at = text + strspn(text, " \t\r\n"); *at != '\0'; count++) {
        at += strcspn(at, " \t\r\n");
        at += strspn(at, " \t\r\n");
    }
    return count;
}

/* Has the text something that can be read? A line end alone is not a message. */
static bool has_words(const char *text)
{
    return count_numbers(text) > 0;
}

/* What the program did, which did not do the right thing, after this call was made to fail. */
static void describe_reaction(const struct execution *execution, const struct call *call, struct result_finding *finding)
{
    char end[160];
    const char *pattern = calls_word(call->kind);
    size_t printed = count_numbers(execution->output);
    int used = snprintf(finding->message, sizeof finding->message, "Tried with this %s made to fail (%s): the program ",
                        calls_name(call->kind), calls_when(call->kind));
    char *rest = finding->message + used;
    size_t room = sizeof finding->message - (size_t)used;
    program_run_describe_end(execution, end, sizeof end);
    if (execution->timed_out || execution->end.signalled) {
        pattern = "crash";
        snprintf(rest, room, "%s.", end);
    } else if (execution->end.code != 0) {
        pattern = "silent";
        snprintf(rest, room, "%s and %s.", end,
                 printed > 0 ? "writes nothing on its standard error; what it prints on its standard output "
                               "is read as its result"
                 : execution->errors_bytes > 0 ? "writes a message without a word"
                                               : "says nothing");
    } else if (printed == 0) {
        pattern = "zero";
        snprintf(rest, room, "writes %s and ends with status 0, which stands for success.",
                 has_words(execution->errors) ? "a message" : "nothing");
    } else if (has_words(execution->errors)) {
        pattern = "message_only";
        snprintf(rest, room, "writes a message, but then prints %zu word%s and ends with status 0, as if all were well.",
                 printed, printed == 1 ? "" : "s");
    } else {
        snprintf(rest, room, "goes on, prints %zu word%s, and ends with status 0, as if all were well.", printed,
                 printed == 1 ? "" : "s");
    }
    snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
}

/* Lets the call fail, and says what is wrong with what the program then does. Returns false when it did not end. */
static bool try_failure(const struct program_job *job, const struct exchange *exchange, const struct call *call,
                        struct result_test *test)
{
    char *failure = allocate_format("%s:%" PRIu64, calls_word(call->kind), call->number);
    struct execution execution;
    program_run(job, exchange, failure, &execution);
    free(failure);
    if (!execution.started) {
        test->state = RESULT_HARNESS_ERROR;
        snprintf(test->message, sizeof test->message, "%s", execution.message);
        execution_clear(&execution);
        return true;
    }
    if (execution.timed_out && execution.is_last) { /* its runs before took the time: that says nothing about this call */
        char end[160];
        test->state = RESULT_FAIL;
        program_run_describe_end(&execution, end, sizeof end);
        snprintf(test->message, sizeof test->message, "Not tried with every call, because the program %s.", end);
        execution_clear(&execution);
        return false;
    }
    bool ended_itself = !execution.timed_out && !execution.end.signalled;
    bool silent = !has_words(execution.errors);
    if (!ended_itself || execution.end.code == 0 || silent) {
        struct result_finding finding = program_explain_begin(job, "status_unchecked", "", call->line);
        describe_reaction(&execution, call, &finding);
        result_findings_add(&test->findings, &finding);
    }
    bool ended = !program_run_timed_out(&execution);
    execution_clear(&execution);
    return ended;
}

static size_t elements_of(const struct lab *lab, int index)
{
    return lab->extent(lab, &lab->cases[index], 0);
}

/* Index of the case with the fewest numbers among those that pass; -1: none does. */
static int find_smallest(const struct program_job *job, const struct result_lab *result)
{
    int smallest = -1;
    for (int i = 0; i < job->lab->case_count; i++)
        if (result->tests[i].state == RESULT_PASS
            && (smallest < 0 || elements_of(job->lab, i) < elements_of(job->lab, smallest)))
            smallest = i;
    return smallest;
}

static void judge_checked(const struct program_job *job, const struct calls *calls, const struct result_lab *result,
                          struct result_test *test)
{
    enum { MOST_TRIALS = 24 };
    int smallest = find_smallest(job, result), trials = 0;
    bool ends = true; /* so many runs that do not end would take minutes */
    struct exchange exchange;
    if (smallest < 0) {
        snprintf(test->message, sizeof test->message, "judged once a case passes");
        return;
    }
    test->state = RESULT_PASS;
    exchange_create(job->lab, &job->lab->cases[smallest], job->seed, &exchange);
    for (size_t i = 0; i < calls[smallest].count && trials < MOST_TRIALS && ends && test->state == RESULT_PASS; i++) {
        const struct call *call = &calls[smallest].list[i];
        if (!calls_may_fail(call->kind) || is_tried(&calls[smallest], i))
            continue;
        ends = try_failure(job, &exchange, call, test);
        trials++;
    }
    exchange_clear(&exchange);
    if (test->findings.count > 0 && test->state == RESULT_PASS)
        test->state = RESULT_FAIL;
    if (trials == 0 && test->state == RESULT_PASS) {
        test->state = RESULT_FAIL;
        snprintf(test->message, sizeof test->message, "The program made no call that could have been made to fail.");
    }
}

/* ---- budgets ------------------------------------------------------------------------------------------------------- */

static double sum_of(const struct calls *calls, enum lab_rule_kind kind)
{
    double sum = 0;
    for (size_t i = 0; i < calls->count; i++)
        if (calls->list[i].result == 0)
            sum += kind == LAB_RULE_to_device ? (double)calls->list[i].to_device
                   : kind == LAB_RULE_to_host ? (double)calls->list[i].to_host
                   : kind == LAB_RULE_threads ? (double)calls->list[i].threads
                                              : calls->list[i].kind == CALL_launch;
    return sum;
}

/* Is there a piece of work of the other kind that nothing orders with this one? Either of the two names the other. */
static bool may_overlap(const struct calls *calls, const struct call *copy)
{
    if (copy->beside_count > 0)
        return true;
    for (size_t i = 0; i < calls->count; i++)
        for (int k = 0; calls->list[i].kind == CALL_launch && k < calls->list[i].beside_count; k++)
            if (calls->list[i].beside[k] == copy->number)
                return true;
    return false;
}

static double overlapped_share(const struct calls *calls)
{
    double all = 0, overlapped = 0;
    for (size_t i = 0; i < calls->count; i++) {
        double moved = (double)calls->list[i].to_device + (double)calls->list[i].to_host;
        all += moved;
        overlapped += moved > 0 && may_overlap(calls, &calls->list[i]) ? moved : 0;
    }
    return all > 0 ? overlapped / all : 0;
}

/* The line that has most of what is too much, and how many calls it is. */
static void find_line(const struct calls *calls, enum lab_rule_kind kind, struct result_budget *budget)
{
    double most = 0;
    size_t count = 0;
    for (size_t i = 0; i < calls->count; i++) {
        struct calls of_line = {.list = NULL};
        double sum = 0;
        size_t times = 0;
        for (size_t k = 0; k < calls->count && calls->list[i].line > 0; k++) {
            if (calls->list[k].line != calls->list[i].line)
                continue;
            of_line = (struct calls){.list = &calls->list[k], .count = 1};
            double part = sum_of(&of_line, kind);
            sum += part;
            times += part > 0;
        }
        if (sum > most) {
            most = sum;
            count = times;
            budget->line = calls->list[i].line;
        }
    }
    if (kind == LAB_RULE_threads && count > 0)
        snprintf(budget->message, sizeof budget->message, "Line %d launches %.0f threads.", budget->line, most);
    else if (count > 1)
        snprintf(budget->message, sizeof budget->message, "Line %d %s %zu times.", budget->line,
                 kind == LAB_RULE_launches ? "launches a kernel" : "copies", count);
}

/* The measured value of a budget. */
static double value_of(const struct calls *calls, const struct result_timeline *timeline, enum lab_rule_kind kind)
{
    return kind == LAB_RULE_overlap   ? overlapped_share(calls)
           : kind == LAB_RULE_elapsed ? (timeline->the_case ? timeline->us : NAN)
                                      : sum_of(calls, kind);
}

/* Do kernels move much of the data over the bus by themselves, in memory that the host shares? No model has that. */
static bool moves_by_kernels(const struct calls *calls)
{
    enum { MOST_OF = 20 }; /* a flag or a counter there is no way around the copies */
    double copied = sum_of(calls, LAB_RULE_to_device) + sum_of(calls, LAB_RULE_to_host), moved = 0;
    for (size_t i = 0; i < calls->count; i++)
        moved = fmax(moved, (double)calls->list[i].shared[0] + (double)calls->list[i].shared[1]);
    return moved * MOST_OF > copied;
}

static void judge_budget(const struct program_job *job, const struct lab_rule *rule, const struct lab_case *the_case,
                         const struct calls *calls, const struct result_timeline *timeline, struct result_budget *budget)
{
    bool of_time = rule->kind == LAB_RULE_overlap || rule->kind == LAB_RULE_elapsed;
    budget->message[0] = '\0';
    budget->value = value_of(calls, timeline, rule->kind);
    budget->ideal = rule->ideal ? rule->ideal(job->lab, rule, the_case) : 1;
    budget->ratio = budget->ideal > 0 ? budget->value / budget->ideal : NAN;
    budget->score = isnan(budget->ratio) ? 0 : budget_points(budget->ratio, rule->full_at, rule->zero_at, rule->points);
    bool unmodelled = rule->kind == LAB_RULE_elapsed && moves_by_kernels(calls);
    budget->score = unmodelled ? 0 : budget->score;
    budget->state = budget->score == rule->points ? RESULT_PASS : RESULT_FAIL;
    if (unmodelled)
        snprintf(
            budget->message, sizeof budget->message,
            "Kernels read or write the host's memory by themselves, over the bus. That is not modelled, so it earns nothing "
            "here: copy the pieces.");
    else if (isnan(budget->value))
        snprintf(budget->message, sizeof budget->message, "There are more than %d copies and launches: too many to model.",
                 (int)TIMELINE_MOST);
    else if (budget->state == RESULT_FAIL && of_time)
        timeline_explain(calls, budget->message, sizeof budget->message, &budget->line, &budget->pattern);
    else if (budget->state == RESULT_FAIL)
        find_line(calls, rule->kind, budget);
}

static bool asks_for_overlap(const struct lab *lab)
{
    bool asks = false;
    for (int i = 0; i < lab->program->rule_count; i++)
        asks |= lab->program->rules[i].kind == LAB_RULE_overlap || lab->program->rules[i].kind == LAB_RULE_elapsed;
    return asks;
}

void program_rules_judge(const struct program_job *job, const struct calls *calls, struct result_lab *result)
{
    const struct lab *lab = job->lab;
    int budget_case = cases_find_budget(lab), test = lab->case_count, budget = 0;
    bool is_counted = budget_case >= 0 && result->tests[budget_case].state == RESULT_PASS;
    if (is_counted && asks_for_overlap(lab))
        timeline_draw(&calls[budget_case], lab->cases[budget_case].name, &result->timeline);
    for (int i = 0; i < lab->program->rule_count; i++) {
        const struct lab_rule *rule = &lab->program->rules[i];
        if (rule->kind == LAB_RULE_freed)
            judge_freed(job, calls, result, &result->tests[test++]);
        else if (rule->kind == LAB_RULE_checked)
            judge_checked(job, calls, result, &result->tests[test++]);
        else if (is_counted)
            judge_budget(job, rule, &lab->cases[budget_case], &calls[budget_case], &result->timeline,
                         &result->budgets[budget++]);
        else if (budget_case >= 0)
            snprintf(result->budgets[budget++].message, sizeof result->budgets->message, "judged once \"%s\" passes",
                     lab->cases[budget_case].name);
    }
}
