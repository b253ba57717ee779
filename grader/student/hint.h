/* What hint and watch show: the next step of the ladder for the latest mistake. */
#ifndef HINT_H
#define HINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "grader/student/subject.h"

/* Steps shown by this process: they count too where no progress can be kept. */
struct hint_memory {
    char heading[120];
    int step;
};

/* Takes one more step of the ladder for the cause of a grading, writes every step up to it, and keeps that in the progress
 * file. A grading without a cause gets what comes next instead.
 *   latest   as progress_latest made it
 */
void hint_write(FILE *file, const struct subject *subject, const json_t *latest, struct hint_memory *memory, bool colour);

/* What to do once a lab has all its points: its questions, the faster version, the next lab. */
void hint_write_next(FILE *file, const struct subject *subject, bool colour);

#endif
