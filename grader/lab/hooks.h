/* The functions that a lab's hooks.c may define under names of their own accord: they are found by name and used where they are there.
 * Functions that lab.yaml names (hook: …) are the lab's business; their types are those of struct lab's and struct lab_budget's members. */
#ifndef LAB_HOOKS_H
#define LAB_HOOKS_H

#include "grader/lab/lab.h"

/* See struct lab for each. */
size_t hook_extent(const struct lab *lab, const struct lab_case *the_case, int index);
void hook_fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data);
void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected);
lab_classify_fn hook_classify;

/* Rows of a table that is an array. */
#define HOOKS_COUNT(array) ((int)(sizeof array / sizeof *(array)))

#endif
