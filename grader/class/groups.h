/* Who handed in together, as the learning system knows it: SUBMISSIONS/groups.csv, which `lockstep collect` writes. */
#ifndef BATCH_GROUPS_H
#define BATCH_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/class/class.h"
#include "grader/class/names.h"

/* A student's folder, or one in it, that has what the group handed in. */
struct group_line {
    size_t student;       /* number in the class */
    char *folder, *group; /* owned */
};

struct groups {
    struct group_line *list; /* owned; by student */
    size_t count, capacity;
};

/* Reads the table where there is one. Columns: id, folder (a path in SUBMISSIONS), group. A line of nobody in the class becomes a
 * problem of the class. Returns false with a message when the file is unfit. Clear in either case. */
bool groups_read(struct class *class, const struct names *ids, struct groups *groups, char *message, size_t message_bytes);
void groups_clear(struct groups *groups);

/* Is the path in a folder of this group (a plain name: class_plain_name)? */
bool groups_has(const struct groups *groups, const char *group, const char *path);

/* The group that handed in the file `path` for this student; NULL: none. */
const char *groups_find(const struct groups *groups, size_t student, const char *path);

#endif
