/* Who is in the class, and when they handed in: the two CSV files of a course. */
#ifndef BATCH_ROSTER_H
#define BATCH_ROSTER_H

#include "grader/class/class.h"
#include "grader/class/csv.h"
#include "grader/class/names.h"

/* Reads the roster of the course, if it has one: a student for each line, a problem for each line that is not one.
 *   folders    out: names of folders, and ids, to numbers of students; owned by the caller; NULL: there is no roster
 * Columns: id (needed), name, folder (several: with ';' between them). Returns false with a message when the file is
 * unfit. */
bool roster_read(struct class *class, struct names **folders, char *message, size_t message_bytes);

/* Times of submission out of a CSV with the columns id, submitted, lab, folder; `lab` empty or not there: for every lab;
 * `folder`, a path in SUBMISSIONS: for what is in it. */
struct roster_times {
    struct roster_time *list; /* owned; sorted by student, then lab */
    size_t count, capacity;
};

/* Reads the file, or nothing when path is NULL. Students are found by `ids`. Lines that make no sense become problems of the
 * class, impossible times become problems of the student. Returns false with a message when the file is unfit: also when none
 * of its lines names a student, none of its times can be read, or one has day and month in an order that nobody stated. */
bool roster_times_read(struct class *class, const struct names *ids, const char *path, struct roster_times *times,
                       char *message, size_t message_bytes);
void roster_times_clear(struct roster_times *times);

/* Finds the time of a student (by number) for a lab of the course (by number), handed in as the file `path`. The most
 * particular line counts: for the lab in this folder, for the lab, for the folder, for all; of equal ones the last. Returns
 * false when there is none. */
bool roster_times_find(const struct roster_times *times, size_t student, int lab, const char *path, int64_t *submitted);

#endif
