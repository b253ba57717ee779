/* What the handouts quote of the grader, kept in handouts/quoted.json by tests/handout_pages.py. */
#ifndef QUOTED_H
#define QUOTED_H

#include <jansson.h>
#include <stdbool.h>

/* Whether what is quoted of this file is what the grader says now: points, first cause, budgets, counters.
 *   file    path from the kit's folder
 *   lab     the file's entry in a result, borrowed
 *   cause   the finding that its message is about, NULL where there is none
 * True when nothing is quoted of it. Says on stderr what differs, and how to fix the pages. */
bool quoted_agrees(const char *file, const json_t *lab, const json_t *cause);

#endif
