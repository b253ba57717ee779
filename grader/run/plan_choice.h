/* Which of a lab's plans a module offers, and everything that must be known before it runs: geometry and the student's
 * names. */
#ifndef PLAN_CHOICE_H
#define PLAN_CHOICE_H

#include <stdbool.h>

#include "grader/compile/compile_step.h"
#include "grader/run/plan.h"

struct plan_problem {
    char kernel[PLAN_NAME_BYTES];
    char message[1400];
};

/* Finds the last plan whose kernels the module defines. Returns false, with a message that says what is missing and what the
 * file defines instead, when no plan is complete or a later plan is begun and not finished. */
bool plan_choice_find(const struct lab *lab, const struct compile_result *compiled, int *plan, struct plan_problem *problem);

/* Fills the setup of setup->plan: geometry of its kernels, names of arrays and parameters. Returns false when a kernel asks
 * for a geometry that makes no sense. */
bool plan_choice_prepare(const struct lab *lab, const struct compile_result *compiled, struct plan_setup *setup,
                         struct plan_problem *problem);

#endif
