/* When a program's copies and kernels would run on a GPU, from the record of its calls: a model, as
 * result_timeline_model says, not a measurement.
 *
 * A piece begins when three things are so: all pieces that come before it in the order of streams, events and waits have
 * ended; its engine is free (there is one for copies to the device, one for copies to the host, one for kernels; each takes
 * its pieces in the order of their calls); and the host has made the call, which it does at once unless it waits for a copy.
 */
#ifndef PROGRAM_TIMELINE_H
#define PROGRAM_TIMELINE_H

#include "grader/program/calls.h"
#include "grader/result/result.h"

/* Pieces with which a timeline is drawn; programs with more have none. */
enum { TIMELINE_MOST = 2048 };

/*   the_case   its name, borrowed by *timeline
 *   timeline   out: pieces are the caller's. Without pieces, or with too many: the_case is NULL
 * Returns how many pieces the record has. */
size_t timeline_draw(const struct calls *calls, const char *the_case, struct result_timeline *timeline);

/* Why so little runs side by side: the first reason that the record shows.
 *   line      out: of the call to change; 0: none
 *   pattern   out: of the ladder of hints, "pageable" */
void timeline_explain(const struct calls *calls, char *message, size_t message_bytes, int *line, const char **pattern);

#endif
