/* What decisions do to a class, in one fixed order:
 *
 *   before grading   1 group     the members have what one of them handed in
 *                    2 accept    a person says which file is graded
 *   after grading    3 score     the decided points stand instead of the graded ones; then `add`
 *                    4 extension another due date; late_days: the budget. Lateness is counted here (late.h)
 *                    5 excuse    lateness costs nothing; exempt: the lab leaves the percentage
 *                    6 the cap   at most the lab's points; then `bonus`, which may exceed them
 *
 * comment, request and answer change no points.
 */
#ifndef BATCH_DECIDED_H
#define BATCH_DECIDED_H

#include <jansson.h>
#include <stdio.h>

#include "grader/class/class.h"
#include "grader/class/decisions.h"
#include "grader/class/groups.h"

/* Takes the files that were accepted into the entries, before their times are looked up. Files that are not there are
 * complained of, a line each. Returns how many. */
int decided_accept(struct class *class, const struct decisions *decisions, const struct groups *groups, FILE *errors);

/* Gives the members of each group the file of the one who handed it in, once times are known.
 *   groups   of the learning system; a decision counts before them, and may name one of them */
void decided_share(struct class *class, const struct decisions *decisions, const struct groups *groups);

/* Points, due dates and late days of every student, once all is graded; requests without an answer become problems.
 *   now   when the batch began, UTC */
void decided_score(struct class *class, const struct decisions *decisions, int64_t now);

/* {file, sha256, lines}, for class.json; owned by the caller. */
json_t *decided_json(const struct decisions *decisions);

#endif
