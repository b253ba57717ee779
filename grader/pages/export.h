/* The command export: hands a result file over to the converters of grader/pages/export, which are Python. */
#ifndef EXPORT_H
#define EXPORT_H

#include "grader/base/exit_status.h"
#include "grader/grading/options.h"

/* Becomes python3 with options->arguments, so it returns only when that cannot be started: EXIT_STATUS_HARNESS, with the
 * reason and what to do on stderr. */
enum exit_status export_run(const struct options *options);

#endif
