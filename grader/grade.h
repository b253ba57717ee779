/* The command grade. */
#ifndef GRADE_H
#define GRADE_H

#include "grader/exit_status.h"
#include "grader/options.h"

/* Grades what the arguments name, prints the verdicts and writes the result file. */
enum exit_status grade_run(const struct options *options);

#endif
