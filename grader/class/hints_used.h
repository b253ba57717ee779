/* How many hints a student was shown, as recorded in the progress file of their own folder (grader/grading/progress.h),
 * where that was handed in too. Students can change what they hand in: use it in a conversation, not for a score.
 */
#ifndef BATCH_HINTS_USED_H
#define BATCH_HINTS_USED_H

#include "grader/lab/lab.h"

/* Looks for .lockstep/progress.json from the file's folder up to the student's.
 *   submissions   path of the class's folder
 *   path          of the file, from there
 * Returns the steps shown for the lab; -1 when no progress of it was handed in. */
int hints_used_find(const char *submissions, const char *path, const struct lab *lab);

#endif
