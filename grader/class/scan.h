/* Looks through the folder of a class: which folders there are, whose they are, and which file in them is for which lab.
 * Nothing in it is trusted: links are never followed, only regular files are opened, names are made printable,
 * and depth, number and size are bounded.
 */
#ifndef BATCH_SCAN_H
#define BATCH_SCAN_H

#include "grader/class/class.h"
#include "grader/class/names.h"
#include "grader/compile/submission.h"

/* Fills the class from its folder. A student of the roster gets the folders that the roster gives them; any other folder
 * is a student of its own.
 *   folders   names of the roster; NULL: there is none
 *   out       folder that the results go to: not looked into, should it lie in here; an open descriptor
 *   ids       out: all ids, to numbers of students; owned by the caller
 * Returns false with a message when the folder cannot be read. */
bool scan_class(struct class *class, const struct names *folders, int out, struct names **ids, char *message,
                size_t message_bytes);

/* The same for one student, whose submission is the class's folder itself: paths begin with "./". */
void scan_folder(struct class *class, struct student *student);

/* Takes the file at `path`, which begins with a student's folder, as the one that is to be graded. Returns false with the reason,
 * which names the file. */
bool scan_accept(struct class *class, struct student *student, const char *path, struct class_entry *entry, char *message,
                 size_t message_bytes);

/* Reads the file of an entry again, for its grading. Status and message of the submission tell when that fails. */
void scan_read(const struct class *class, const struct class_entry *entry, struct submission *submission);

#endif
