/* Copies: files of two or more students that are the same, byte for byte. Always told, however little the lab leaves to
 * choose; near-duplicates (similar.h) are what is alike beyond that. */
#ifndef CLASS_COPIES_H
#define CLASS_COPIES_H

#include <jansson.h>

#include "grader/class/class.h"

/* Appends a group for each file of the lab that several students handed in, as class.json has them, with "same_bytes". The
 * kit's own solution is not one: `the_solution` names it.
 *   lab   of the course */
void copies_find(const struct class *class, int lab, json_t *groups);

/* Appends what is alike to `groups`, but for groups of the very students that share a copy there. Takes `alike` over. */
void copies_join(json_t *groups, json_t *alike);

#endif
