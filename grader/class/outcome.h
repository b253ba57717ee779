/* From gradings to a class: scores, lateness, and the files in DIR. */
#ifndef BATCH_OUTCOME_H
#define BATCH_OUTCOME_H

#include <jansson.h>
#include <stdbool.h>

#include "grader/class/class.h"
#include "grader/class/store.h"

/* Takes what the class needs of a grading {lab, machine, when, …} into the entry. */
void outcome_take(struct class_entry *entry, const json_t *grading);

/* Points of a lab, whatever became of it. */
int outcome_max_score(const struct lab *lab);

/* class.json.
 *   hidden_tests   they ran
 *   duplicates     borrowed
 */
json_t *outcome_class_json(const struct class *class, const struct store *store, bool hidden_tests, json_t *duplicates);

/* A list of problems as class.json has them. */
json_t *outcome_problems_json(const struct problems *problems);

/* "problem" when a person must look, "missing" when there is nothing at all, else "graded". */
const char *outcome_student_state(const struct student *student, const struct course *course);

/* What people decided about the student, for the student's result file: final scores, and words that the student may read. NULL:
 * nothing. Owned by the caller. */
json_t *outcome_decided_json(const struct student *student, const struct course *course);

/* Must a person look at the class: a student's work could not be graded, or a problem says so? */
bool outcome_needs_a_look(const struct class *class);

/* Is the student on the roster, without a folder or a share in a group's work? */
bool outcome_is_absent(const struct student *student, const struct course *course);

/* Is anything of the student graded or decided, so that there is a result file? */
bool outcome_has_file(const struct student *student, const struct course *course);

#endif
