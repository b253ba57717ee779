/* Filling an array or a scalar by a rule of a description. Internal to grader/lab/describe. */
#ifndef FILLS_H
#define FILLS_H

#include "grader/lab/lab.h"

/* A row of fills.def. */
struct fill_kind {
    const char *name;
    int numbers; /* that it takes, at most 3 */
    void (*fill)(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random);
};

/* NULL: no such row. */
const struct fill_kind *fills_find(const char *name);

/* "uniform LOW HIGH, integers LOW HIGH ...": names of all rows, for complaints. */
const char *fills_known(void);

#endif
