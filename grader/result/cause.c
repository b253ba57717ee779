#include "grader/result/cause.h"

#include <stdio.h>
#include <string.h>

#include "grader/result/diagnose.h"
#include "grader/result/json_text.h"

static void take_finding(const struct result_finding *finding, struct cause *cause)
{
    *cause = (struct cause){finding->code,    finding->pattern, "",           finding->message,
                            finding->handout, finding->file,    finding->line};
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
        *cause = (struct cause){"budget",    "", budget->metric, budget->why, "", budget->line > 0 ? result->path : "",
                                budget->line};
    }
    return most > 0;
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
    if (first < 0)
        return find_budget(result, cause);
    if (result->tests[first].findings.count > 0)
        take_finding(&result->tests[first].findings.list[0], cause);
    else /* only the clock ends a run without a word */
        *cause = (struct cause){"fuel", "clock", "", result->tests[first].message, "", "", 0};
    return true;
}

json_t *cause_json(const struct result_lab *result)
{
    struct cause cause;
    if (!cause_find(result, &cause))
        return json_null();
    bool budget = strcmp(cause.code, "budget") == 0;
    return json_pack("{s:s,s:o,s:o,s:s,s:o,s:o,s:o,s:o}", "code", cause.code, "pattern", result_json_text(cause.pattern),
                     "metric", result_json_text(cause.metric), "title",
                     budget ? "points to win" : diagnose_title(cause.code), "message", result_json_text(cause.message),
                     "handout", result_json_text(cause.handout), "file", result_json_text(cause.file), "line",
                     cause.line > 0 ? json_integer(cause.line) : json_null());
}

void cause_heading(const json_t *cause, char *heading, size_t heading_bytes)
{
    const char *code = json_string_value(json_object_get(cause, "code"));
    const char *second = json_string_value(json_object_get(cause, "pattern"));
    if (!second)
        second = json_string_value(json_object_get(cause, "metric"));
    snprintf(heading, heading_bytes, "%s%s%s", code ? code : "", second ? " " : "", second ? second : "");
}
