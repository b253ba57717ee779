#include "grader/judge/hidden_tests.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/hidden.h"
#include "grader/judge/hints.h"
#include "grader/result/diagnose.h"

/* ---- inside: what happens stays here ------------------------------------------------------------------------------ */

static const struct row {
    const char *code;
    lockstep_severity severity;
} rows[] = {
    [HIDDEN_NO_CAUSE] = {"", LOCKSTEP_ERROR},
#define STAGE(stage, order, heading)
#define FINDING(code, raised_by, stage, severity, in_lab, title, question, meaning, often, advice) \
    [HIDDEN_##code] = {#code, LOCKSTEP_##severity},
#include "runtime/tables/findings.def"
#undef STAGE
#undef FINDING
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* The first finding that fails the test. */
static enum hidden_cause find_cause(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        for (int row = 1; row < ROW_COUNT && diagnose_fails(&findings->list[i]); row++)
            if (strcmp(rows[row].code, findings->list[i].code) == 0)
                return (enum hidden_cause)row;
    return HIDDEN_NO_CAUSE;
}

struct hidden_verdict hidden_verdict_of(const struct result_test *test)
{
    switch (test->state) {
    case RESULT_PASS: return (struct hidden_verdict){HIDDEN_PASS, HIDDEN_NO_CAUSE};
    case RESULT_HARNESS_ERROR: return (struct hidden_verdict){HIDDEN_HARNESS, HIDDEN_NO_CAUSE};
    case RESULT_SKIPPED:
    case RESULT_INCONCLUSIVE: return (struct hidden_verdict){HIDDEN_NOT_RUN, HIDDEN_NO_CAUSE};
    case RESULT_FAIL:
    case RESULT_ERROR: break;
    }
    return (struct hidden_verdict){HIDDEN_FAIL, find_cause(&test->findings)};
}

static void verify_on_gpu(const struct cases_input *input, struct result_lab *closed)
{
    struct cases_gpu *gpu = cases_gpu_begin(input, closed);
    cases_gpu_verify(gpu);
    cases_gpu_end(gpu);
}

void hidden_tests_judge(const struct cases_input *input, const struct lab *whole, const uint64_t *key,
                        const struct cases_effort *effort, bool gpu, struct hidden_verdict verdicts[HIDDEN_MOST])
{
    struct lab *lab = hidden_lab_create(whole, *key);
    struct cases_input own = *input;
    struct result_lab closed = {0};
    struct barriers barriers;
    struct cases_effort rest = *effort;
    assert(lab->case_count <= HIDDEN_MOST);
    own.setup.lab = lab;
    own.hidden_key = key;
    cases_list(lab, whole->case_count, &closed);
    if (lab->case_count > 0)
        cases_judge(&own, &closed, &rest, NULL, &barriers);
    if (lab->case_count > 0 && gpu && cases_gpu_is_safe(&closed))
        verify_on_gpu(&own, &closed);
    for (int i = 0; i < lab->case_count; i++) {
        diagnose_sort(&closed.tests[i].findings);
        verdicts[i] = hidden_verdict_of(&closed.tests[i]);
    }
    result_lab_clear(&closed);
    hidden_lab_destroy(lab);
}

/* ---- outside: what the report says depends on verdicts alone ---------------------------------------------------------------- */

bool hidden_tests_pass(const struct lab *whole, const struct hidden_verdict verdicts[HIDDEN_MOST])
{
    int at = 0;
    for (int i = 0; i < whole->case_count; i++)
        if (whole->cases[i].hidden && verdicts[at++].outcome != HIDDEN_PASS)
            return false;
    return true;
}

static struct result_test *append_test(const struct lab *whole, int index, struct result_lab *result)
{
    size_t capacity = (size_t)result->test_count;
    result->tests = allocate_grown(result->tests, &capacity, capacity + 1, sizeof *result->tests);
    struct result_test *test = &result->tests[result->test_count++];
    snprintf(test->name, sizeof test->name, "%s", whole->cases[index].name);
    test->purpose = whole->cases[index].purpose;
    test->hidden = true;
    return test;
}

static void tell_failure(const struct lab *whole, const char *plan, enum hidden_cause cause, struct result_test *test)
{
    test->state = RESULT_FAIL;
    if (cause == HIDDEN_NO_CAUSE) {
        snprintf(test->message, sizeof test->message, "A hidden test fails. What happened in it is not shown.");
        return;
    }
    struct result_finding finding = {.severity = rows[cause].severity, .count = 1};
    snprintf(finding.code, sizeof finding.code, "%s", rows[cause].code);
    snprintf(finding.message, sizeof finding.message, "A hidden test fails: %s. Its lines and numbers are not shown.",
             diagnose_title(finding.code));
    snprintf(test->message, sizeof test->message, "%s", finding.message);
    result_findings_add(&test->findings, &finding);
    hints_apply(whole, plan, &test->findings);
}

static void tell(const struct lab *whole, const char *plan, const struct hidden_verdict *verdict, struct result_test *test)
{
    switch (verdict->outcome) {
    case HIDDEN_PASS: test->state = RESULT_PASS; break;
    case HIDDEN_FAIL: tell_failure(whole, plan, verdict->cause, test); break;
    case HIDDEN_NOT_RUN:
        test->state = RESULT_FAIL;
        snprintf(test->message, sizeof test->message, "%s", cases_not_run);
        break;
    case HIDDEN_HARNESS:
        test->state = RESULT_HARNESS_ERROR;
        snprintf(test->message, sizeof test->message,
                 "A hidden test could not be judged: the kit or this machine failed. Why is not shown, because it could "
                 "tell what the test is.");
        break;
    }
}

void hidden_publish(const struct lab *whole, const struct hidden_verdict verdicts[HIDDEN_MOST], struct result_lab *result)
{
    int at = 0;
    for (int i = 0; i < whole->case_count; i++) {
        if (!whole->cases[i].hidden)
            continue;
        struct result_test *test = append_test(whole, i, result);
        test->max_score = cases_points(whole, i, whole->case_count);
        test->state = result->state;
        if (verdicts)
            tell(whole, result->plan, &verdicts[at++], test);
    }
}

void hidden_publish_skipped(const struct lab *whole, const char *reason, struct result_lab *result)
{
    for (int i = 0; i < whole->case_count; i++) {
        if (!whole->cases[i].hidden)
            continue;
        struct result_test *test = append_test(whole, i, result);
        test->state = RESULT_SKIPPED;
        snprintf(test->message, sizeof test->message, "%s", reason);
    }
}
