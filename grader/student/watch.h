/* The command watch: grades a file again each time it is saved, on one screen, until the user has enough of it. */
#ifndef WATCH_H
#define WATCH_H

#include "grader/base/exit_status.h"
#include "grader/grading/options.h"

/* On a terminal one screen, redrawn in place, with keys; else a plain report at each save. A grading that is running when
 * the file is saved again is cancelled. Progress is kept, and a verdict that is still right when `watch` starts is shown as
 * it is. */
enum exit_status watch_run(const struct options *options);

#endif
