/* Finds students by names that a person would take for the same (class_plain_name). */
#ifndef BATCH_NAMES_H
#define BATCH_NAMES_H

#include <stddef.h>

#define NAMES_NONE ((size_t)-1)

struct names;

/* A table with room for `most` names. */
struct names *names_create(size_t most);
void names_destroy(struct names *names);

/* The number that was added with a name like this one; NAMES_NONE. */
size_t names_find(const struct names *names, const char *name);

/* Adds a name that names_find does not find. */
void names_add(struct names *names, const char *name, size_t number);

#endif
