#include "grader/result/result.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

const char *result_state_name(enum result_state state)
{
    static const char *const names[] = {
        [RESULT_PASS] = "pass",       [RESULT_FAIL] = "fail",
        [RESULT_ERROR] = "error",     [RESULT_HARNESS_ERROR] = "harness_error",
        [RESULT_SKIPPED] = "skipped", [RESULT_INCONCLUSIVE] = "inconclusive",
    };
    return names[state];
}

static bool is_same(const struct result_finding *left, const struct result_finding *right)
{
    return strcmp(left->code, right->code) == 0 && strcmp(left->pattern, right->pattern) == 0 && left->line == right->line
           && left->line2 == right->line2 && strcmp(left->kernel, right->kernel) == 0
           && strcmp(left->array, right->array) == 0 && strcmp(left->file, right->file) == 0;
}

bool result_finding_tells_threads(const struct result_finding *finding)
{
    /* Of threads that left early the message tells how many, and any of them is as good as the others. */
    return finding->has_thread2 || strcmp(finding->code, "early_exit") == 0;
}

const char *result_finding_events(const struct result_finding *finding)
{
    static const char *const accesses[] = {"out_of_bounds", "misaligned", "uninitialized", "read_only_write"};
    if (strncmp(finding->code, "barrier_", 8) == 0 || strcmp(finding->code, "deadlock") == 0
        || strcmp(finding->code, "early_exit") == 0) /* counts threads that went elsewhere */
        return NULL;
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        if (strcmp(finding->code, accesses[i]) == 0)
            return "accesses";
    return "errors";
}

bool result_is_own_file(const char *file, const char *path)
{
    enum { KEPT = sizeof((struct result_finding *)0)->file - 1 }; /* of a long path a finding has only this much */
    return !path || file[0] == '\0' || strncmp(file, path, KEPT) == 0;
}

struct result_finding *result_findings_add(struct result_findings *findings, const struct result_finding *finding)
{
    for (size_t i = 0; i < findings->count; i++)
        if (is_same(&findings->list[i], finding)) {
            findings->list[i].count += finding->count;
            return &findings->list[i];
        }
    findings->list = allocate_grown(findings->list, &findings->capacity, findings->count + 1, sizeof *findings->list);
    findings->list[findings->count] = *finding;
    return &findings->list[findings->count++];
}

bool result_is_idle_warning(const lockstep_diagnostic *diagnostic)
{
    return diagnostic->severity != LOCKSTEP_WARNING || diagnostic->kind[0] == '\0' || strcmp(diagnostic->kind, "idle") == 0;
}

bool result_code_is_barrier(const char *code)
{
    return strcmp(code, "barrier_divergent") == 0 || strcmp(code, "barrier_mismatch") == 0
           || strcmp(code, "early_exit") == 0;
}

bool result_findings_have(const struct result_findings *findings, const char *code)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].code, code) == 0)
            return true;
    return false;
}

const char result_timeline_model[] =
    "Modelled, not measured. Copies take the time that their bytes took on an H200: 55 GB/s each way for pinned memory, "
    "9.7 GB/s there and 18 GB/s back for pageable memory. Kernels issue 4 warp instructions per clock in each of 132 "
    "multiprocessors. One copy in each direction and one kernel run at a time. Starting them costs nothing here; on a GPU it "
    "costs microseconds.";

bool result_all_pass(const struct result_lab *result)
{
    for (int i = 0; i < result->test_count; i++)
        if (result->tests[i].state != RESULT_PASS)
            return false;
    return true;
}

bool result_is_cured_by(const struct result_lab *lab, const char *kind)
{
    return lab->repair.cure == RESULT_CURED && strcmp(lab->repair.kind, kind) == 0;
}

bool result_was_tried(const struct result_lab *lab, const char *kind)
{
    size_t length = strlen(kind);
    for (const char *at = lab->repair.tried; (at = strstr(at, kind)); at += length)
        if (at[length] == ' ' && (at == lab->repair.tried || at[-1] == ' '))
            return true;
    return false;
}

bool result_is_not_cured_by(const struct result_lab *lab, const char *kind)
{
    return result_was_tried(lab, kind) && strcmp(lab->repair.kind, kind) != 0;
}

void result_picture_destroy(struct result_picture *picture)
{
    if (!picture)
        return;
    picture_clear(&picture->expected);
    picture_clear(&picture->got);
    picture_clear(&picture->difference);
    free(picture);
}

void result_lab_clear(struct result_lab *lab)
{
    for (int i = 0; i < lab->test_count; i++) {
        free(lab->tests[i].findings.list);
        result_picture_destroy(lab->tests[i].picture);
        free(lab->tests[i].printed.text);
    }
    free(lab->tests);
    free(lab->budgets);
    free(lab->diagnostics);
    free(lab->notes.list);
    free(lab->timeline.pieces);
    free(lab->fingerprint);
    memset(lab, 0, sizeof *lab);
}
