#include "grader/judge/cases.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_work.h"
#include "grader/result/diagnose.h"

#define RECORD_BYTES (64u << 20)

void cases_draw(const struct cases_input *input, struct result_lab *result)
{
    struct cases_work work;
    struct result_lab unused = {0};
    int index = diagnose_first_test(result);
    if (index < 0 || result->tests[index].findings.count == 0 || result->tests[index].hidden)
        return;
    const struct result_finding *cause = &result->tests[index].findings.list[0];
    if (strncmp(cause->code, "race_", 5) != 0 || !cases_work_begin(&work, input, &unused))
        return;
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    work.checks = "poison"; /* the race is known already */
    work.settings.record = true;
    if (cause->schedule[0] != '\0')
        work.settings.schedule = cause->schedule;
    cases_work_run(&work, index, 0, true, &data, &run, &reply);
    if (work.open) {
        uint64_t bytes;
        char *text = child_file_read(work.session.child.counters, RECORD_BYTES, &bytes);
        result->picture = allocate_zeroed(sizeof *result->picture);
        picture_make(text, bytes, cause, result->picture);
        free(text);
        if (!result->picture->present) {
            free(result->picture);
            result->picture = NULL;
        }
    }
    cases_work_end(&work);
}
