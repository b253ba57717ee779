/* Near-duplicates: submissions of one lab whose compiled code shares more than the lab explains. */
#ifndef BATCH_SIMILAR_H
#define BATCH_SIMILAR_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* The fingerprints of one submission (grader/compile/fingerprint.h), rising. */
struct similar_member {
    const char *id;   /* of the student; borrowed */
    uint64_t *prints; /* owned by the list */
    size_t count;
};

struct similar_list {
    struct similar_member *members;
    size_t count, capacity;
};

/* Adds a member; `prints` is taken over. */
void similar_add(struct similar_list *list, const char *id, uint64_t *prints, size_t count);

/* How many of `members` may have the same without its being what the lab leads to. */
size_t similar_limit(size_t members);

/* Finds the groups, most similar first, as class.json has them, and appends them to `groups`. What a
 * quarter of the class shares counts as common too.
 *   common   [common_count], rising: what the kit's own files for the lab have, which tells nothing */
void similar_find(const struct similar_list *list, const uint64_t *common, size_t common_count, const char *lab,
                  json_t *groups);
void similar_clear(struct similar_list *list);

#endif
