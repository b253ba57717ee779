/* What the struct lab of a lab that was not built with the kit has for the functions of its hooks.c: a child does the call
 * (guard.h). In a process that is a confined child itself they call the function at once. Internal to grader/lab/describe. */
#ifndef HOOK_CALLS_H
#define HOOK_CALLS_H

#include "grader/lab/lab.h"

typedef void hook_fill_fn(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                          struct lab_data *data);

/* What is done once there is a fault is harmless: nothing is filled, an extent is 0, an ideal NAN, nothing is recognised. */
void hook_calls_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                          const struct lab_data *data, struct lab_expected *expected);
void hook_calls_fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                     struct lab_data *data);
size_t hook_calls_extent(const struct lab *lab, const struct lab_case *the_case, int index);
double hook_calls_ideal(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan);
bool hook_calls_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                         size_t message_bytes);

/* Calls a kind's own function of hooks.c, wherever that is to be done. */
void hook_calls_values(hook_fill_fn *hook, const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                       struct lab_data *data);

#endif
