#include "grader/judge/cases_collect.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/findings.h"

/* What kernels printed is kept up to this size, the rest is counted. */
#define PRINTED_BYTES  (64u << 10)
#define FINDINGS_BYTES (8u << 20)
#define COUNTERS_BYTES (64u << 20)

void cases_merge_findings(struct result_test *test, const struct result_findings *fresh)
{
    struct result_findings before = test->findings;
    for (size_t i = 0; i < fresh->count; i++) {
        size_t old_count = test->findings.count;
        struct result_finding *added = result_findings_add(&test->findings, &fresh->list[i]);
        if (test->findings.count == old_count && (size_t)(added - test->findings.list) < before.count)
            added->count -= fresh->list[i].count;
    }
}

static void read_findings(struct cases_work *work, struct result_findings *fresh)
{
    uint64_t bytes;
    char *text = child_file_read(work->session.child.findings, FINDINGS_BYTES, &bytes);
    findings_read(text, bytes, &work->input->setup, work->input->file, fresh);
    child_file_clear(work->session.child.findings);
    free(text);
}

static void read_printed(struct cases_work *work, struct result_printed *printed)
{
    uint64_t bytes;
    printed->bytes = child_file_bytes(work->session.child.output);
    if (printed->bytes == 0)
        return;
    char *text = child_file_read(work->session.child.output, PRINTED_BYTES, &bytes);
    printed->text = allocate_zeroed(bytes + 1);
    for (uint64_t i = 0; i < bytes; i++) /* a NUL printed by the student must not hide the rest */
        printed->text[i] = text[i] != '\0' ? text[i] : ' ';
    free(text);
}

static void read_counters(struct cases_work *work, struct tally *tally)
{
    uint64_t bytes;
    char *text = child_file_read(work->session.child.counters, COUNTERS_BYTES, &bytes);
    if (tally)
        tally_read(text, bytes, tally);
    barriers_read(text, bytes, &work->barriers);
    free(text);
    child_file_clear(work->session.child.counters);
}

static bool has_run_out(const struct result_findings *findings)
{
    /* A barrier that some threads never reach may mean that they spin for ever; a run that was stopped for its work need not
     * have a loop without end. */
    static const char *const codes[] = {"fuel", "deadlock", "barrier_divergent"};
    for (size_t i = 0; i < findings->count; i++)
        for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
            if (strcmp(findings->list[i].code, codes[k]) == 0 && strcmp(findings->list[i].pattern, "work") != 0)
                return true;
    return false;
}

void cases_collect(struct cases_work *work, const struct run_reply *reply, struct result_printed *printed,
                   struct tally *tally, struct result_findings *fresh)
{
    memset(fresh, 0, sizeof *fresh);
    if (printed)
        *printed = (struct result_printed){0};
    if (!work->open)
        return;
    if (work->session.alive) {
        work->result->device = work->session.device;
        work->result->has_device = true;
    }
    read_findings(work, fresh);
    if (printed)
        read_printed(work, printed);
    child_file_clear(work->session.child.output);
    read_counters(work, tally);
    work->effort.ran_out |= has_run_out(fresh) || reply->outcome == RUN_HUNG;
    if (!work->session.alive)
        cases_work_close_session(work);
}
