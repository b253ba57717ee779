/* The command `batch`: a folder of submissions in, a gradebook out. */
#ifndef BATCH_H
#define BATCH_H

#include "grader/base/exit_status.h"
#include "grader/grading/options.h"

/* Exit status: 0 every file of every student was graded, whatever the scores; 1 somebody's work could not be graded and a
 * person must look; 2 bad usage, course file or roster; 3 the kit failed for a submission, or the results could not be
 * written. */
enum exit_status batch_run(const struct options *options);

#endif
