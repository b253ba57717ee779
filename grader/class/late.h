/* What lateness costs, and which labs count. Whole numbers, so that the same times give the same points everywhere.
 *
 * A day is 24 hours, whatever the clocks do in between. Up to and including the last second of the grace period nothing is
 * taken off; from the next second on, each 24 hours begun *after it* costs percent_per_day of the score, up to the cap.
 */
#ifndef BATCH_LATE_H
#define BATCH_LATE_H

#include "grader/class/class.h"

/* Sets late_seconds, late_days and penalty of an entry with a time of submission, and final_score of any: the decided or
 * else the graded score less the penalty, at most the lab's points, and then the bonus. What is missing before the end of the
 * grace period is not due.
 *   now   when the batch began, UTC */
void late_judge(const struct course *course, int lab, int64_t now, struct class_entry *entry);

/* When the lab is due for this student, UTC; INT64_MAX: never. */
int64_t late_due(const struct course *course, int lab, const struct class_entry *entry);

/* late_judge for every lab of the student, in the order in which they are due: each late one spends whole days of what is
 * left of late_days_all, and days that are paid for cost nothing. What is excused or exempt spends none. */
void late_judge_student(const struct course *course, int64_t now, struct student *student);

/* Marks the student's lowest labs as dropped and computes the percent of the course. */
void late_count(const struct course *course, struct student *student);

#endif
