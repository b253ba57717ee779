/* What only all tests together show about a mistake: an array that an earlier kernel left out, a loop that ends elsewhere, an
 * array that was meant to be shared. Adds to findings or rewrites them; no verdict and no point depends on it. */
#ifndef STORY_H
#define STORY_H

#include "grader/result/result.h"
#include "grader/run/plan.h"

/* Call when every test has its findings, before hints are chosen.
 *   file   the student's, for findings that are made here */
void story_tell(const struct plan_setup *setup, const char *file, struct result_lab *result);

/* What the text says of wrong values whose lines have been found out. */
void story_tell_measured(const struct plan_setup *setup, struct result_lab *result);

#endif
