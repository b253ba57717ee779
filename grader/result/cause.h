/* What a result is about first: the finding that everything else may follow from, or the budget that costs most points. */
#ifndef CAUSE_H
#define CAUSE_H

#include <jansson.h>
#include <stdbool.h>

#include "grader/result/result.h"

struct cause {
    const char *code;    /* of findings.def, or "budget"; borrowed from the result, as all of these */
    const char *pattern; /* of a wrong_value; "" else */
    const char *metric;  /* of a budget; "" else */
    const char *message; /* "" none */
    const char *handout; /* section that explains it; "" none */
    const char *file;    /* "" unknown */
    int line;            /* 0 unknown */
};

/* Finds the cause. Returns false when there is none: full score, or a failure that is not the submission's. */
bool cause_find(const struct result_lab *result, struct cause *cause);

/* {code, pattern, metric, title, message, handout, file, line} for the result file; null for none. New reference. */
json_t *cause_json(const struct result_lab *result);

/* The heading of its ladder in hints.md: "out_of_bounds", "wrong_value tail", "budget global_sectors".
 *   cause   as cause_json made it, or as a progress file has it: any member may be missing
 */
void cause_heading(const json_t *cause, char *heading, size_t heading_bytes);

#endif
