/* Reads what the emulated driver wrote through LOCKSTEP_FINDINGS: one JSON object per line. */
#ifndef FINDINGS_H
#define FINDINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "grader/result/result.h"
#include "grader/run/plan.h"

/* Adds the findings of text[bytes] to the list. The driver's name for an unnamed parameter (KERNEL_param_2) becomes the
 * student's, and the absolute path that the compiler made of the student's file becomes `file`, as the user gave it. A line
 * that is not a finding is skipped and counted. Returns how many lines were skipped. */
size_t findings_read(const char *text, size_t bytes, const struct plan_setup *setup, const char *file,
                     struct result_findings *findings);

/* Takes one finding from the object that the driver wrote. Returns false when it is none. */
bool findings_take(const json_t *object, struct result_finding *finding);

#endif
