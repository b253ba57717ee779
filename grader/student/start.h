/* The commands start and reset: a fresh skeleton in the student's own folder, without ever losing work. */
#ifndef START_H
#define START_H

#include <stddef.h>

#include "grader/base/exit_status.h"
#include "grader/grading/options.h"
#include "grader/lab/lab.h"

/* The lab's skeleton as it came: its reference solution without what stands between the marks, so that work in the kit's own
 * labs/ cannot spoil it; else the file in labs/. Owned by the caller; NULL when there is neither. */
char *start_skeleton(const struct lab *lab);

/* Puts skeletons into the student's folder, or into --into FOLDER, which becomes one. What is there stays as it is. */
enum exit_status start_run(const struct options *options);

/* Puts the skeleton in the place of a file that is kept under a new name, file.cu.1 and so on. */
enum exit_status reset_run(const struct options *options);

#endif
