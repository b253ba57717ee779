/* The map of the course: its parts, and in each the pages to read and the labs to do, in their order. Labs that it does not have
 * come behind the others. */
#ifndef MAP_H
#define MAP_H

#include "grader/lab/lab.h"

/* A lab, or a page to read. */
struct map_step {
    const char *part;            /* title, the same for all steps of a part */
    const char *name;            /* the lab's name, "scan"; or the page, "handouts/barriers.md" */
    const char *title;           /* of a page; NULL: it is a lab */
    const char *needs, *teaches; /* NULL: it does not say */
};

/* Says what the steps are: once, before anything else here is called.
 *   steps   [count], borrowed for the life of the process */
void map_register(const struct map_step *steps, int count);

int map_count(void);
const struct map_step *map_get(int index);

/* NULL: the map does not have it. */
const struct map_step *map_find(const char *name);

#endif
