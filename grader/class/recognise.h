/* Which lab is a file for? By its place and name, else by a folder's name, else by the kernels in it. Collects the files of
 * one student and then settles which of them is graded for which lab.
 */
#ifndef BATCH_RECOGNISE_H
#define BATCH_RECOGNISE_H

#include "grader/class/class.h"
#include "grader/compile/submission.h"

enum { RECOGNISE_NAMED_MAX = 4 };

struct recognise_list {
    const struct course *course;
    bool any_name;               /* in a course of one lab, an only file is for it, whatever it is called */
    struct recognise_file *list; /* owned */
    size_t count, capacity;
    char *others[RECOGNISE_NAMED_MAX]; /* the first names of what belongs to no lab; owned */
    size_t other_count;
    char **headers; /* paths of headers that were handed in; owned */
    size_t header_count, header_capacity;
};

/* What a file is by its name. */
enum recognise_kind {
    RECOGNISE_OTHER,
    RECOGNISE_SOURCE,       /* .cu in any case; .c where labs are written in C */
    RECOGNISE_OTHER_ENDING, /* may be a source that was saved, renamed or downloaded under another ending: .cpp, .cu.txt */
    RECOGNISE_DOCUMENT,     /* a source may be in it, but not as text: .ipynb, .docx, .pdf */
    RECOGNISE_ARCHIVE,
};
enum recognise_kind recognise_kind_of(const char *name);

/* Adds a source that was read.
 *   path        from the class's folder
 *   mtime       when it was changed last, UTC
 *   submitted   what a file `submitted` says of it; 0: nothing
 */
void recognise_add(struct recognise_list *files, const char *path, const struct submission *submission, int64_t mtime,
                   int64_t submitted);

/* Adds a file of another ending, which is offered to be renamed if it is a lab's. Returns false when it is not.
 *   submission   as it was read; NULL: it is not text */
bool recognise_offer(struct recognise_list *files, const char *path, const struct submission *submission);

/* Adds a file that could not be read. */
void recognise_refuse(struct recognise_list *files, const char *path, enum problem_code why);

/* Adds anything else that somebody may have meant to hand in. */
void recognise_note(struct recognise_list *files, const char *path);

/* Decides, once for the student: an entry for each lab of the course, and problems. */
void recognise_settle(struct recognise_list *files, struct student *student);
void recognise_clear(struct recognise_list *files);

#endif
