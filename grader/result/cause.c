#include "grader/result/cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/result/diagnose.h"
#include "grader/result/json_text.h"

static void take_finding(const struct result_finding *finding, struct cause *cause)
{
    *cause = (struct cause){.code = finding->code,
                            .pattern = finding->pattern,
                            .metric = "",
                            .message = finding->message,
                            .handout = finding->handout,
                            .file = finding->file,
                            .line = finding->line,
                            .finding = finding};
}

/* The budget that costs most points; the first of equal ones. */
static bool find_budget(const struct result_lab *result, struct cause *cause)
{
    int most = 0;
    for (int i = 0; i < result->budget_count; i++) {
        const struct result_budget *budget = &result->budgets[i];
        int lost = budget->max_score - budget->score;
        if (budget->state != RESULT_FAIL || lost <= most)
            continue;
        most = lost;
        *cause = (struct cause){.code = "budget",
                                .pattern = budget->pattern ? budget->pattern : "",
                                .metric = budget->metric,
                                .message = budget->why,
                                .handout = "",
                                .file = budget->line > 0 ? result->path : "",
                                .line = budget->line};
    }
    return most > 0;
}

/* Does a note about the file explain why the test failed? What failed may not be what was written, or the launch not the one
 * that was asked for: then elements are missing, wrong, or changed by two threads. */
static bool is_cause(const struct result_finding *note, const struct result_test *test)
{
    const char *first = test->findings.count > 0 ? test->findings.list[0].code : "";
    bool follows = strcmp(first, "never_written") == 0 || strcmp(first, "wrong_value") == 0
                   || strncmp(first, "race_", strlen("race_")) == 0;
    return strcmp(note->pattern, "plan") == 0 || (strcmp(note->code, "launch_setting") == 0 && follows);
}

/* A test of which only a part could be run in the work that a run may cost. */
static bool find_part(const struct result_lab *result, struct cause *cause)
{
    for (int i = 0; i < result->test_count; i++) {
        if (result->tests[i].state != RESULT_PASS || result->tests[i].slow_halvings == 0 || result->tests[i].hidden)
            continue;
        *cause =
            (struct cause){.code = "budget",
                           .pattern = "",
                           .metric = "work",
                           .message = "A test is too slow to be tested whole: only a part of it was run, and its points "
                                      "are for the whole.",
                           .handout = "",
                           .file = ""};
        return true;
    }
    return false;
}

bool cause_find(const struct result_lab *result, struct cause *cause)
{
    if (result->state == RESULT_HARNESS_ERROR)
        return false;
    for (size_t i = 0; i < result->notes.count; i++)
        if (result->notes.list[i].severity == LOCKSTEP_ERROR) {
            take_finding(&result->notes.list[i], cause);
            return true;
        }
    int first = diagnose_first_test(result);
    for (size_t i = 0; i < result->notes.count && first >= 0; i++)
        if (is_cause(&result->notes.list[i], &result->tests[first])) {
            take_finding(&result->notes.list[i], cause);
            return true;
        }
    if (first < 0)
        return find_part(result, cause) || find_budget(result, cause);
    if (result->tests[first].findings.count > 0)
        take_finding(&result->tests[first].findings.list[0], cause);
    else /* only the clock ends a run without a word */
        *cause = (struct cause){.code = "fuel",
                                .pattern = "clock",
                                .metric = "",
                                .message = result->tests[first].message,
                                .handout = "",
                                .file = ""};
    return true;
}

/* What a hint speaks of: of a value that was never set, the array that lacks it. */
static const char *array_of(const struct result_finding *finding)
{
    bool lacks = strcmp(finding->code, "uninitialized") == 0 && finding->unwritten[0] != '\0';
    return lacks ? finding->unwritten : finding->array;
}

/* What the report asks, where that is made from the finding: it is the first hint, too. Where the message asks, it is its
 * last sentence. */
static const char *question_of(const struct result_finding *finding)
{
    if (!finding || !finding->asks)
        return finding ? finding->hint : "";
    const char *last = finding->message;
    for (const char *at = finding->message; (at = strstr(at, ". ")); at += 2)
        last = at + 2;
    const char *aside = last[0] == '(' ? strstr(last, ".) ") : NULL; /* (a remark.) The question? */
    last = aside ? aside + 3 : last;
    size_t length = strlen(last);
    return length > 0 && last[length - 1] == '?' ? last : "";
}

/* What the report prints below the message, line by line: the thread, how its index came about, conditions. Owned by the
 * caller. */
static char *facts_of(const struct result_finding *finding)
{
    if (!finding)
        return allocate_format("%s", "");
    bool thread = finding->has_thread && !result_finding_tells_threads(finding);
    char who[96] = "";
    snprintf(who, sizeof who, "thread (%u,%u,%u) of block (%u,%u,%u)", finding->thread[0], finding->thread[1],
             finding->thread[2], finding->block[0], finding->block[1], finding->block[2]);
    return allocate_format(
        "%s%s%s%s%s", thread ? who : "", thread && finding->arithmetic[0] != '\0' ? "\n" : "", finding->arithmetic,
        finding->remark[0] != '\0' && (thread || finding->arithmetic[0] != '\0') ? "\n" : "", finding->remark);
}

json_t *cause_json(const struct result_lab *result)
{
    struct cause cause;
    if (!cause_find(result, &cause))
        return json_null();
    bool budget = strcmp(cause.code, "budget") == 0;
    const struct result_finding *finding = cause.finding;
    char *facts = facts_of(finding);
    json_t *object = json_pack(
        "{s:s,s:o,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "code", cause.code, "pattern",
        result_json_text(cause.pattern), "metric", result_json_text(cause.metric), "title",
        budget ? "points to win" : diagnose_title(cause.code), "message", result_json_text(cause.message), "facts",
        result_json_text(facts), "warning", result_json_text(finding ? finding->warning : ""), "question",
        result_json_text(question_of(finding)), "handout", result_json_text(cause.handout), "file",
        result_json_text(cause.file), "line", cause.line > 0 ? json_integer(cause.line) : json_null(), "line2",
        finding && finding->line2 > 0 ? json_integer(finding->line2) : json_null(), "kernel",
        result_json_text(finding ? finding->kernel : ""), "array", result_json_text(finding ? array_of(finding) : ""),
        "output", result_json_text(finding ? finding->output : ""), "cured_by",
        result_json_text(finding ? finding->cured_by : ""), "plan", result_json_text(result->plan ? result->plan : ""));
    free(facts);
    return object;
}

/* Adds " key=value", with "_" for blanks. */
static void add_fact(char *text, size_t text_bytes, const char *key, const char *value)
{
    size_t used = strlen(text);
    if (!value || value[0] == '\0' || used + strlen(key) + strlen(value) + 3 > text_bytes)
        return;
    snprintf(text + used, text_bytes - used, " %s%s%s", key, key[0] != '\0' ? "=" : "", value);
    for (char *at = text + used + 1; *at != '\0'; at++)
        if (*at == ' ')
            *at = '_';
}

static void add_line(char *text, size_t text_bytes, const char *key, json_int_t line)
{
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)line);
    add_fact(text, text_bytes, key, line > 0 ? number : "");
}

void cause_heading(const json_t *cause, char *heading, size_t heading_bytes)
{
    static const char *const keys[] = {"kernel", "array", "output", "plan"};
    const char *code = json_string_value(json_object_get(cause, "code"));
    const char *warning = json_string_value(json_object_get(cause, "warning"));
    if (warning) { /* a warning explains it */
        snprintf(heading, heading_bytes, "%s", warning);
        return;
    }
    snprintf(heading, heading_bytes, "%s", code ? code : "");
    add_fact(heading, heading_bytes, "", json_string_value(json_object_get(cause, "metric")));
    add_fact(heading, heading_bytes, "", json_string_value(json_object_get(cause, "pattern")));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        add_fact(heading, heading_bytes, keys[i], json_string_value(json_object_get(cause, keys[i])));
    add_fact(heading, heading_bytes, "cure", json_string_value(json_object_get(cause, "cured_by")));
    add_line(heading, heading_bytes, "line", json_integer_value(json_object_get(cause, "line")));
    add_line(heading, heading_bytes, "line2", json_integer_value(json_object_get(cause, "line2")));
}

void cause_facts(const struct result_finding *finding, const char *plan, char *facts, size_t facts_bytes)
{
    snprintf(facts, facts_bytes, "%s", finding->code);
    add_fact(facts, facts_bytes, "", finding->pattern);
    add_fact(facts, facts_bytes, "kernel", finding->kernel);
    add_fact(facts, facts_bytes, "array", array_of(finding));
    add_fact(facts, facts_bytes, "output", finding->output);
    add_fact(facts, facts_bytes, "plan", plan);
    add_fact(facts, facts_bytes, "cure", finding->cured_by);
    add_line(facts, facts_bytes, "line", finding->line);
    add_line(facts, facts_bytes, "line2", finding->line2);
}
