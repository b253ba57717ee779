/* Commands whose second half is Python: packages of the kit's folder grader/pages. */
#ifndef PYTHON_H
#define PYTHON_H

#include "grader/base/exit_status.h"

/* Becomes `python3 grader/pages/PACKAGE words…`, so it returns only when that cannot be started: EXIT_STATUS_HARNESS,
 * with the reason and what to do on stderr.
 *   command   that needs it, for the message
 *   words     [count], borrowed */
enum exit_status python_become(const char *command, const char *package, char *const *words, int count);

#endif
