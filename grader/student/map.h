/* The map of the course: its parts, what each lab or page needs and teaches, and the questions that find out where to begin.
 * The Labs that no step names are a part of their own, behind the others. */
#ifndef MAP_H
#define MAP_H

#include "grader/lab/lab.h"

enum { MAP_CHOICES = 3 };

/* A lab, or a page to read. */
struct map_step {
    const char *part;  /* title, the same for all steps of a part */
    const char *name;  /* the lab without its number, "scan"; or the page, "handouts/barriers.md" */
    const char *title; /* of a page; NULL: it is a lab */
    const char *needs, *teaches;
};

struct map_question {
    const char *step; /* its name: who cannot answer begins there, or before */
    const char *text, *choices[MAP_CHOICES];
    int right;       /* which choice, from 0 */
    const char *why; /* one sentence or two */
};

struct map {
    const struct map_step *steps;
    int step_count;
    const struct map_question *questions; /* in the order of the steps */
    int question_count;
};

/* Of this kit: map.def and quiz.def. Valid for the life of the process. */
const struct map *map_get(void);

/* The step of a lab; NULL: the map does not have it. */
const struct map_step *map_find_lab(const struct lab *lab);
const struct map_step *map_find(const char *name);

#endif
