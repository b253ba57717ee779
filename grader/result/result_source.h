/* The lines of the student's file that a result names, so that a page made of it needs nothing else. */
#ifndef RESULT_SOURCE_H
#define RESULT_SOURCE_H

#include <jansson.h>

#include "grader/result/result.h"

/* labs[].source: the lines of findings, calls, thresholds and the compiler's messages, and two above and below each; of more
 * than 200 lines those of the first cause, then those of what comes first. New reference; empty when source is NULL. */
json_t *result_source_json(const struct result_lab *lab, const char *source);

#endif
