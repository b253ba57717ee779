#include "grader/judge/cases_trace.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_work.h"
#include "grader/lab/arrays.h"
#include "grader/result/diagnose.h"
#include "grader/result/result_json.h"

#define TRACE_BYTES    (32u << 20)
#define FINDINGS_BYTES (8u << 20)
#define FULL_WARP      32

/* What is run, and what it is to show. */
struct choice {
    int index;                          /* of the case; -1: there is none */
    const struct result_finding *cause; /* as that case shows it; NULL: no finding */
    const struct result_budget *budget; /* that costs most points; NULL: none, or there is a cause */
};

static size_t elements_of(const struct lab *lab, int index)
{
    return arrays_elements(lab, &lab->cases[index]);
}

/* Has every lane of a warp an element? A smaller case shows a mistake as well, but less of what the others do. */
static bool fills_warp(const struct lab *lab, int index)
{
    return lab->extent(lab, &lab->cases[index], 0) >= FULL_WARP;
}

/* The finding of a test that is the same cause; NULL: it has none. */
static const struct result_finding *find_cause(const struct result_test *test, const struct result_finding *cause)
{
    for (size_t i = 0; i < test->findings.count; i++) {
        const struct result_finding *finding = &test->findings.list[i];
        if (strcmp(finding->code, cause->code) == 0 && finding->line == cause->line && finding->line2 == cause->line2
            && strcmp(finding->pattern, cause->pattern) == 0)
            return finding;
    }
    return NULL;
}

static void choose_by_cause(const struct lab *lab, const struct result_lab *result, int first, struct choice *choice)
{
    const struct result_finding *cause = &result->tests[first].findings.list[0];
    size_t least = SIZE_MAX;
    bool full = false;
    for (int i = 0; i < lab->case_count; i++) {
        const struct result_finding *found = find_cause(&result->tests[i], cause);
        if (!found || result->tests[i].hidden || full > fills_warp(lab, i)
            || (full == fills_warp(lab, i) && elements_of(lab, i) >= least))
            continue;
        full = fills_warp(lab, i);
        least = elements_of(lab, i);
        choice->index = i;
        choice->cause = found;
    }
}

static const struct result_budget *find_lost_budget(const struct result_lab *result)
{
    const struct result_budget *worst = NULL;
    for (int i = 0; i < result->budget_count; i++) {
        const struct result_budget *budget = &result->budgets[i];
        int lost = budget->max_score - budget->score;
        if (budget->state == RESULT_FAIL && lost > 0 && (!worst || lost > worst->max_score - worst->score))
            worst = budget;
    }
    return worst;
}

/* The smallest case with elements for all lanes of a warp. */
static int find_full_warp(const struct lab *lab)
{
    int best = 0;
    size_t least = SIZE_MAX;
    for (int i = 0; i < lab->case_count; i++)
        if (!lab->cases[i].hidden && elements_of(lab, i) < least && fills_warp(lab, i)) {
            least = elements_of(lab, i);
            best = i;
        }
    return best;
}

static void choose(const struct cases_input *input, const struct result_lab *result, const struct trace_request *request,
                   struct choice *choice)
{
    const struct lab *lab = input->setup.lab;
    int first = diagnose_first_test(result);
    bool has_cause = first >= 0 && result->tests[first].findings.count > 0;
    *choice = (struct choice){.index = -1};
    if (request->case_name) {
        for (int i = 0; i < lab->case_count; i++)
            if (strcmp(lab->cases[i].name, request->case_name) == 0 && !lab->cases[i].hidden)
                choice->index = i;
        if (choice->index >= 0 && has_cause)
            choice->cause = find_cause(&result->tests[choice->index], &result->tests[first].findings.list[0]);
        return;
    }
    if (has_cause)
        choose_by_cause(lab, result, first, choice);
    if (choice->index < 0 && (choice->budget = find_lost_budget(result)))
        choice->index = cases_find_budget(lab);
    if (choice->index < 0)
        choice->index = find_full_warp(lab);
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* Appends [bytes] to the memory file; the page is made of what arrived. */
static void append(int file, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, text, bytes);
        if (written <= 0)
            return;
        text += written;
        bytes -= (size_t)written;
    }
}

static void append_object(int file, json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    if (text) {
        append(file, text, strlen(text));
        append(file, "\n", 1);
    }
    free(text);
    json_decref(object);
}

/* Lines of JSON objects, each of which gets its kind. */
static void append_findings(int file, const char *text, uint64_t bytes)
{
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *object = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        if (json_is_object(object)) {
            json_object_set_new(object, "kind", json_string("finding"));
            append_object(file, object);
        } else {
            json_decref(object);
        }
        at += length + 1;
    }
}

static json_t *case_json(const struct lab_case *the_case, const struct choice *choice, const char *schedule,
                         const struct run_reply *reply)
{
    const struct result_budget *budget = choice->budget;
    json_t *object = json_pack("{s:s,s:s,s:s,s:s,s:b,s:o}", "kind", "case", "name", the_case->name, "purpose",
                               the_case->purpose, "schedule", schedule, "ran", reply->outcome == RUN_RAN, "message",
                               result_json_text(reply->message));
    json_object_set_new(object, "cause",
                        choice->cause ? json_pack("{s:s,s:s,s:i,s:i,s:o,s:o,s:o}", "code", choice->cause->code, "title",
                                                  diagnose_title(choice->cause->code), "line", choice->cause->line, "line2",
                                                  choice->cause->line2, "kernel", result_json_text(choice->cause->kernel),
                                                  "array", result_json_text(choice->cause->array), "message",
                                                  result_json_text(choice->cause->message))
                                      : json_null());
    json_object_set_new(object, "budget",
                        budget ? json_pack("{s:s,s:i,s:o,s:o}", "metric", budget->metric, "line", budget->line, "why",
                                           result_json_text(budget->why), "message", result_json_text(budget->message))
                               : json_null());
    return object;
}

void cases_trace(const struct cases_input *input, const struct result_lab *result, const struct trace_request *request)
{
    struct cases_work work;
    struct result_lab unused = {0};
    struct choice choice;
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    char block[48];
    choose(input, result, request, &choice);
    if (choice.index < 0 || !cases_work_begin(&work, input, &unused))
        return;
    const uint32_t *at = request->has_block                         ? request->block
                         : choice.cause && choice.cause->has_thread ? choice.cause->block
                                                                    : (const uint32_t[3]){0, 0, 0};
    snprintf(block, sizeof block, "%u,%u,%u", at[0], at[1], at[2]);
    work.settings.trace_block = block;
    if (choice.cause && choice.cause->schedule[0] != '\0')
        work.settings.schedule = choice.cause->schedule;
    work.effort.ran_out = true; /* an endless loop is known by now: little fuel, little work */
    cases_work_run(&work, choice.index, 0, true, &data, &run, &reply);
    append_object(request->file, case_json(&input->setup.lab->cases[choice.index], &choice, work.settings.schedule, &reply));
    if (work.open) {
        uint64_t bytes;
        char *text = child_file_read(work.session.child.counters, TRACE_BYTES, &bytes);
        append(request->file, text, bytes);
        free(text);
        text = child_file_read(work.session.child.findings, FINDINGS_BYTES, &bytes);
        append(request->file, "\n", 1);
        append_findings(request->file, text, bytes);
        free(text);
    }
    cases_work_end(&work);
}
