/* The lines of a file that ask for a launch of another shape (KERNEL_block, KERNEL_items), and mistakes in them: a name that
 * the lab does not read, a block of a shape that the kernel does not use. */
#ifndef LAUNCH_LINES_H
#define LAUNCH_LINES_H

#include "grader/result/result.h"
#include "grader/run/plan.h"
#include "runtime/language/ptx/summary.h"
#include "runtime/language/source.h"

/* Adds a note for each such mistake. `setup` has the geometry of the plan's kernels, and the source. */
void launch_lines_tell(const struct plan_setup *setup, const struct ptx_summary *summary, const char *file,
                       struct result_findings *notes);

/* The line that declares KERNEL_block or KERNEL_items (`what`), outside of all functions. 0: none. */
int launch_lines_find(const struct source *source, const char *kernel, const char *what);

/* The line of the kernel's __launch_bounds__. 0: none. */
int launch_lines_find_bounds(const struct source *source, const char *kernel);

#endif
