/* What lateness costs, and which labs count. Whole numbers, so that the same times give the same points everywhere.
 *
 * A day is 24 hours, whatever the clocks do in between. Up to and including the last second of the grace period nothing is
 * taken off; from the next second on, each 24 hours begun *after it* costs percent_per_day of the score, up to the cap.
 */
#ifndef BATCH_LATE_H
#define BATCH_LATE_H

#include "grader/class/class.h"

/* Sets late_seconds, late_days and penalty of an entry with a time of submission, and final_score of any. */
void late_judge(const struct course *course, int lab, struct class_entry *entry);

/* Marks the student's lowest labs as dropped and computes the percent of the course. */
void late_count(const struct course *course, struct student *student);

#endif
