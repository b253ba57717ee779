/* The command trace: a page that shows, step by step, what the threads of one block do. */
#ifndef TRACE_H
#define TRACE_H

#include "grader/base/exit_status.h"
#include "grader/grading/options.h"

/* Grades the lab or file, runs the case that shows its first cause with a trace, and becomes the Python program that writes
 * the page (pages/trace). Returns when there is nothing to show, with the reason on stderr, or the report where the
 * file does not compile. */
enum exit_status trace_run(const struct options *options);

#endif
