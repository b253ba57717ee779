#include "tests/small_lab.h"

#include <stdio.h>
#include <string.h>

#include "grader/judge/judge.h"

void small_lab_grade(const struct lab *lab, const char *source, struct result_lab *result)
{
    struct submission submission = {.status = SUBMISSION_READ, .source = (char *)source, .source_bytes = strlen(source)};
    snprintf(submission.path, sizeof submission.path, "%s.cu", lab->name);
    struct judge_input input = {.lab = lab, .submission = &submission, .seed = 7};
    judge_submission(&input, result);
    result->path = lab->name; /* the submission ends here */
}

static void show(const struct result_lab *result)
{
    printf("%s: %d of %d points; %s\n", result->lab, result->score, result->max_score, result->message);
    for (int i = 0; i < result->test_count; i++)
        printf("  %s: %s\n", result->tests[i].name, result->tests[i].message);
    for (size_t i = 0; i < result->notes.count; i++)
        printf("  note %s: %s\n", result->notes.list[i].code, result->notes.list[i].message);
}

bool small_lab_passes(const struct lab *lab, const char *source, bool right)
{
    struct result_lab result;
    small_lab_grade(lab, source, &result);
    bool passes = result.state == RESULT_PASS && result.score == result.max_score;
    if (passes != right)
        show(&result);
    result_lab_clear(&result);
    return passes;
}

static bool have(const struct result_findings *findings, const char *code, const char *text)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].code, code) == 0 && (!text || strstr(findings->list[i].message, text)))
            return true;
    return false;
}

bool small_lab_finds(const struct lab *lab, const char *source, const char *code, const char *text)
{
    struct result_lab result;
    small_lab_grade(lab, source, &result);
    bool found = have(&result.notes, code, text);
    for (int i = 0; i < result.test_count; i++)
        found |= have(&result.tests[i].findings, code, text);
    if (!found)
        show(&result);
    result_lab_clear(&result);
    return found;
}
