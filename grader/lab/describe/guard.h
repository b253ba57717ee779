/* Code of a lab's author runs in a child process: it cannot harm the grader, it ends in time, and a message names the line of
 * what is wrong with it. Its arrays lie in memory that both processes share, each with one end at a page that nobody may touch
 * and a pattern at its other end.
 *
 * One child serves many calls. It is forked from the process that grades, so that it has the lab, and confined like an emulated
 * run (sandbox.h: no files, no network, its own memory).
 *
 *   do {
 *       guard_place(&call);                     says where the arrays lie
 *       ... fill them ...
 *   } while (guard_run(&call) == GUARD_AGAIN);
 */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/describe/guard_call.h"

enum guard_status {
    GUARD_DONE,
    GUARD_AGAIN, /* place, fill and run it once more: to find the line */
    GUARD_FAULT, /* guard_fault says what is wrong with the lab */
};

/* Adds an array to the call. Returns its index. */
int guard_add(struct guard_call *call, const char *name, size_t element_bytes, size_t count);

/* Lays out the arrays. Their bytes are undefined. Where memory cannot be had the process ends, as of allocate.h. */
void guard_place(struct guard_call *call);

/* Runs the call. A lab with a fault is not run again. */
enum guard_status guard_run(struct guard_call *call);

/* Whether a plan is a function of hooks.c that a child is to go through: the lab is not built with the kit, and this process is
 * not itself such a child. */
bool guard_goes_through(const struct lab *lab, int plan);

/* The lab as the child has it: copies may be younger than the child. */
const struct lab *guard_lab(const struct lab *lab);

/* What is wrong with the lab's own code: a sentence that begins with file and line; the first that this process found. NULL:
 * nothing so far. Valid as long as the process. */
const char *guard_fault(const struct lab *lab);

/* Notes what another process found. The first counts. */
void guard_set_fault(const struct lab *lab, const char *message);

/* Which end of an array lies at the page that nobody may touch: its end, as usual, or its beginning. */
void guard_watch_beginnings(bool beginnings);

/* Processor time that a call may take; for tests. */
void guard_set_limit(int seconds);

#endif
