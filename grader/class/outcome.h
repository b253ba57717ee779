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

/* "problem" when a person must look, "missing" when there is nothing at all, else "graded". */
const char *outcome_student_state(const struct student *student, const struct course *course);

/* Is anything of the student graded, so that there is a result file? */
bool outcome_has_file(const struct student *student, const struct course *course);

#endif
