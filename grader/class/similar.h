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
    uint64_t *common; /* of the kit's own files for the lab: they tell nothing */
    size_t common_count;
};

/* Adds a member; `prints` is taken over. */
void similar_add(struct similar_list *list, const char *id, uint64_t *prints, size_t count);

/* Finds the groups, most similar first, as class.json has them, and appends them to `groups`. What a
 * quarter of the class shares counts as common too. */
void similar_find(struct similar_list *list, const char *lab, json_t *groups);
void similar_clear(struct similar_list *list);

#endif
