/* Which lab is a file for? By its own name, else by a folder's, else by the kernels in it. Collects the .cu files of one
 * student and then settles which of them is graded for which lab.
 */
#ifndef BATCH_RECOGNISE_H
#define BATCH_RECOGNISE_H

#include "grader/class/class.h"
#include "grader/compile/submission.h"

struct recognise_list {
    const struct course *course;
    struct recognise_file *list; /* owned */
    size_t count, capacity;
};

/* Does the name end in .cu, in any case? */
bool recognise_is_source(const char *name);

/* May labs be in a file that is never opened: an archive, or a .cu file with another ending after it? */
bool recognise_is_wrapped(const char *name, bool *archive);

/* Adds a file that was read.
 *   path        from the class's folder
 *   mtime       when it was changed last, UTC
 *   submitted   what a file `submitted` says of it; 0: nothing
 */
void recognise_add(struct recognise_list *files, const char *path, const struct submission *submission, int64_t mtime,
                   int64_t submitted);

/* Adds a file that could not be read. */
void recognise_refuse(struct recognise_list *files, const char *path, enum problem_code why);

/* Decides, once for the student: an entry for each lab of the course, and problems. */
void recognise_settle(struct recognise_list *files, struct student *student);
void recognise_clear(struct recognise_list *files);

#endif
