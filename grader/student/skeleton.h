/* A lab's file as it is handed out. */
#ifndef SKELETON_H
#define SKELETON_H

#include <stdbool.h>

#include "grader/compile/submission.h"
#include "grader/lab/lab.h"

/* The skeleton as it came: the reference solution without what is between the marks, so that work in the kit's own labs/
 * cannot spoil it; else the file in labs/. Owned by the caller; NULL when there is neither. */
char *skeleton_make(const struct lab *lab);

/* Has nobody written anything into the file yet? */
bool skeleton_is(const struct lab *lab, const struct submission *submission);

#endif
