#include "grader/judge/verdict.h"

#include <stdio.h>
#include <string.h>

#include "grader/lab/describe/guard.h"
#include "grader/lab/fit.h"
#include "grader/result/diagnose.h"

/* ---- what ends a grading before anything runs ------------------------------------------------------------------------ */

void verdict_fail_whole(struct result_lab *result, enum result_state state, const char *message)
{
    result->state = state;
    snprintf(result->message, sizeof result->message, "%s", message);
    for (int i = 0; i < result->test_count; i++)
        result->tests[i].state = state;
    if (result->test_count > 0)
        snprintf(result->tests[0].message, sizeof result->tests[0].message, "%s", message);
}

bool verdict_blame_lab(const struct lab *lab, struct result_lab *result)
{
    char message[sizeof result->message];
    if (!guard_fault(lab))
        return false;
    snprintf(message, sizeof message, "%.1300s. This is a mistake in the lab, not in the submission.", guard_fault(lab));
    for (int i = 0; i < result->test_count; i++) {
        result->tests[i].findings.count = 0;
        result->tests[i].message[0] = '\0';
        result->tests[i].score = 0;
        result_picture_destroy(result->tests[i].picture);
        result->tests[i].picture = NULL;
    }
    for (int i = 0; i < result->budget_count; i++) {
        result->budgets[i].state = RESULT_SKIPPED;
        result->budgets[i].score = 0;
        snprintf(result->budgets[i].message, sizeof result->budgets[i].message, "nothing was judged");
    }
    result->notes.count = 0;
    result->score = 0;
    verdict_fail_whole(result, RESULT_HARNESS_ERROR, message);
    return true;
}

void verdict_note(struct result_lab *result, const char *code, lockstep_severity severity, const char *file, int line,
                  const char *kernel, const char *message)
{
    struct result_finding finding = {.severity = severity, .count = 1, .line = line};
    snprintf(finding.code, sizeof finding.code, "%s", code);
    snprintf(finding.file, sizeof finding.file, "%s", file);
    snprintf(finding.kernel, sizeof finding.kernel, "%s", kernel);
    snprintf(finding.message, sizeof finding.message, "%s", message);
    result_findings_add(&result->notes, &finding);
}

void verdict_reject(const char *file_name, struct result_lab *result)
{
    char message[1400];
    const lockstep_diagnostic *first = NULL;
    for (size_t i = 0; i < result->diagnostic_count && !first; i++)
        if (result->diagnostics[i].severity == LOCKSTEP_ERROR)
            first = &result->diagnostics[i];
    if (!first) {
        verdict_fail_whole(result, RESULT_ERROR, "The file does not compile; the compiler gave no reason.");
        return;
    }
    char place[32] = "";
    const char *file = first->file[0] != '\0' ? first->file : file_name;
    bool explained = first->advice[0] != '\0';
    if (first->column > 0)
        snprintf(place, sizeof place, "%d:", first->column);
    snprintf(message, sizeof message, "%s:%d:%s %s", file, first->line, place, explained ? first->advice : first->message);
    verdict_note(result, "compile", LOCKSTEP_ERROR, file, first->line, "", explained ? first->advice : first->message);
    struct result_finding *note = &result->notes.list[result->notes.count - 1];
    snprintf(note->pattern, sizeof note->pattern, "%s", first->kind);
    if (explained)
        snprintf(note->remark, sizeof note->remark, "The compiler says: %.440s", first->message);
    verdict_fail_whole(result, RESULT_ERROR, message);
}

void verdict_refuse(struct result_lab *result, const char *file_name, const char *pattern, const char *message)
{
    verdict_note(result, "compile", LOCKSTEP_ERROR, file_name, 0, "", message);
    snprintf(result->notes.list[result->notes.count - 1].pattern, sizeof result->notes.list->pattern, "%s", pattern);
    verdict_fail_whole(result, RESULT_ERROR, message);
}

/* ---- the end ------------------------------------------------------------------------------------------------------- */

/* State of a test in a word, from its first finding. */
static void write_messages(struct result_lab *result)
{
    for (int i = 0, kept = 0; i < result->test_count; i++) { /* one picture says it */
        kept += result->tests[i].picture != NULL;
        if (kept > 1) {
            result_picture_destroy(result->tests[i].picture);
            result->tests[i].picture = NULL;
        }
    }
    for (int i = 0; i < result->test_count; i++) {
        struct result_test *test = &result->tests[i];
        const struct result_finding *first = test->findings.count > 0 ? &test->findings.list[0] : NULL;
        if (test->message[0] == '\0' && first && test->state != RESULT_PASS) {
            char line[16] = "";
            if (first->line > 0)
                snprintf(line, sizeof line, ":%d", first->line);
            snprintf(test->message, sizeof test->message, "%s%s: %s", first->file, line, first->message);
        }
        fit_describe(test->halvings, test->slow_halvings, test->left_little, test->state == RESULT_PASS, test->message,
                     sizeof test->message);
    }
}

static void add_up(struct result_lab *result)
{
    bool any_ran = false, failed = false, harness = false;
    result->score = 0;
    for (int i = 0; i < result->test_count; i++) {
        struct result_test *test = &result->tests[i];
        /* What only shows in the whole case is not known of a part of it. */
        test->score = test->state == RESULT_PASS && test->slow_halvings == 0 ? test->max_score : 0;
        result->score += test->score;
        any_ran |= test->state == RESULT_PASS || test->state == RESULT_FAIL;
        failed |= test->state == RESULT_FAIL || test->state == RESULT_ERROR;
        harness |= test->state == RESULT_HARNESS_ERROR;
    }
    for (int i = 0; i < result->budget_count; i++) {
        result->score += result->budgets[i].score;
        harness |= result->budgets[i].state == RESULT_HARNESS_ERROR;
    }
    result->state = harness ? RESULT_HARNESS_ERROR : !any_ran ? RESULT_ERROR : failed ? RESULT_FAIL : RESULT_PASS;
    int first = diagnose_first_test(result);
    if (result->message[0] == '\0' && first >= 0)
        snprintf(result->message, sizeof result->message, "%s", result->tests[first].message);
    for (int i = 0; i < result->test_count && harness && result->message[0] == '\0'; i++)
        snprintf(result->message, sizeof result->message, "%s", result->tests[i].message);
}

void verdict_conclude(struct result_lab *result)
{
    write_messages(result);
    add_up(result);
}
