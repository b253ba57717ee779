/* What a result is about first: the finding that everything else may follow from, or the budget that costs most points. */
#ifndef CAUSE_H
#define CAUSE_H

#include <jansson.h>
#include <stdbool.h>

#include "grader/result/result.h"

struct cause {
    const char *code;                     /* of findings.def, or "budget"; borrowed from the result, as all of these */
    const char *pattern;                  /* which mistake the code stands for; "" unknown */
    const char *metric;                   /* of a budget; "" else */
    const char *message;                  /* "" none */
    const char *handout;                  /* section that explains it; "" none */
    const char *file;                     /* "" unknown */
    int line;                             /* 0 unknown */
    const struct result_finding *finding; /* NULL: a budget, or a clock */
    const char *plan;                     /* that ran; "" unknown */
};

/* Finds the cause. Returns false when there is none: full score, or a failure that is not the submission's. */
bool cause_find(const struct result_lab *result, struct cause *cause);

/* {code, pattern, metric, title, message, warning, question, handout, file, line, line2, kernel, array, output, plan} for
 * the result file; null for none. New reference. */
json_t *cause_json(const struct result_lab *result);

/* The facts by which hints.md is searched (hints_ladder): "out_of_bounds guard kernel=mapper line=12", "budget
 * global_sectors".
 *   cause   as cause_json made it, or as a progress file has it: any member may be missing
 */
enum { CAUSE_HEADING_BYTES = 480 };
void cause_heading(const json_t *cause, char *heading, size_t heading_bytes);

/* The same of a finding.
 *   plan   name of the plan that ran; NULL unknown */
void cause_facts(const struct result_finding *finding, const char *plan, char *facts, size_t facts_bytes);

#endif
