/* What only all tests together show about a mistake: an array that an earlier kernel left out, a loop that ends elsewhere, an
 * array that was meant to be shared. Adds to findings or rewrites them; no verdict and no point depends on it. */
#ifndef STORY_H
#define STORY_H

#include "grader/result/result.h"
#include "grader/run/plan.h"

/* Call when every test has its findings, before hints are chosen.
 *   file   the student's, for findings that are made here */
void story_tell(const struct plan_setup *setup, const char *file, struct result_lab *result);

/* Whether the line of a compiler's error defines a kernel of the lab without __global__; the message then says so.
 *   text   the student's source [text_bytes]; NULL unknown */
bool story_kernel_without_global(const struct lab *lab, const char *text, size_t text_bytes, int line, char *message,
                                 size_t message_bytes);

/* Whether a kernel that was not found is there as a template. *line: of its definition. */
bool story_kernel_is_template(const char *kernel, const char *text, size_t text_bytes, int *line, char *message,
                              size_t message_bytes);

#endif
